import { createFilters, type Filters, type Filter as OfKeys } from '../common/Filters.ts'

/** A webhook as the matcher knows it. Its keys are the observed addresses, each as 40 hexadecimal digits. */
export interface Filter extends OfKeys {
  /** Hashes of event signatures, in hexadecimal with 0x; empty if any activity counts. */
  readonly signatures: readonly string[]
}

/**
 * How an address takes part in a transaction: the hashes of the signatures of the logs that it emitted or that have it as
 * a topic. The set is empty if it takes part in another way only.
 */
export type Activity = ReadonlyMap<string, ReadonlySet<string>>

/** Finds the webhooks that a transaction concerns, by an index in memory. */
export interface Matcher extends Pick<Filters<Filter>, 'size' | 'put' | 'remove' | 'lowest'> {
  /** Returns the ids of the webhooks that match the activity of a transaction in a change of the source, each once. */
  match(activity: Activity, sequence: bigint): readonly string[]
}

/** The webhooks of an EVM chain, by when they are sent the events of a block. */
export interface EvmWebhooks {
  readonly executed: Matcher
  readonly settled: Matcher
}

/** Creates a matcher without webhooks. */
export function createMatcher(): Matcher {
  const filters = createFilters<Filter>()
  return {
    get size() {
      return filters.size
    },
    put: filters.put,
    remove: filters.remove,
    lowest: filters.lowest,
    match(activity, sequence) {
      const matched = new Set<string>()
      for (const [address, signatures] of activity) {
        for (const filter of filters.of(address))
          if (sequence > filter.fromSequence && accepts(filter, signatures)) matched.add(filter.id)
      }
      return [...matched]
    },
  }
}

function accepts({ signatures }: Filter, emitted: ReadonlySet<string>): boolean {
  return signatures.length === 0 || signatures.some((signature) => emitted.has(signature))
}
