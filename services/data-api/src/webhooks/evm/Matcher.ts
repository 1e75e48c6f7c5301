/** A webhook as the matcher knows it. */
export interface Filter {
  readonly id: string
  /** Changes of the source up to this one are not told. */
  readonly fromSequence: bigint
  /** Observed addresses, each as 40 hexadecimal digits. */
  readonly addresses: readonly string[]
  /** Hashes of event signatures, in hexadecimal with 0x; empty if any activity counts. */
  readonly signatures: readonly string[]
}

/**
 * How an address takes part in a transaction: the hashes of the signatures of the logs that it emitted or that have it as
 * a topic. The set is empty if it takes part in another way only.
 */
export type Activity = ReadonlyMap<string, ReadonlySet<string>>

/** Finds the webhooks that a transaction concerns, by an index in memory. */
export interface Matcher {
  /** Number of webhooks. */
  readonly size: number
  /** Adds a webhook, or replaces it. */
  put(filter: Filter): void
  remove(id: string): void
  /** Returns the ids of the webhooks that match the activity of a transaction in a change of the source, each once. */
  match(activity: Activity, sequence: bigint): readonly string[]
  /** Returns the lowest position after which any webhook is told something; undefined without webhooks. */
  lowest(): bigint | undefined
}

/** Creates a matcher without webhooks. */
export function createMatcher(): Matcher {
  const filters = new Map<string, Filter>()
  /** The webhooks of each address. */
  const byAddress = new Map<string, Set<Filter>>()

  const remove = (id: string) => {
    const filter = filters.get(id)
    if (filter === undefined) return
    filters.delete(id)
    for (const address of filter.addresses) {
      const own = byAddress.get(address)
      own?.delete(filter)
      if (own?.size === 0) byAddress.delete(address)
    }
  }

  return {
    get size() {
      return filters.size
    },
    put(filter) {
      remove(filter.id)
      filters.set(filter.id, filter)
      for (const address of filter.addresses) {
        const own = byAddress.get(address)
        if (own === undefined) byAddress.set(address, new Set([filter]))
        else own.add(filter)
      }
    },
    remove,
    match(activity, sequence) {
      const matched = new Set<string>()
      for (const [address, signatures] of activity) {
        for (const filter of byAddress.get(address) ?? [])
          if (sequence > filter.fromSequence && accepts(filter, signatures)) matched.add(filter.id)
      }
      return [...matched]
    },
    lowest() {
      let lowest: bigint | undefined
      for (const { fromSequence } of filters.values())
        if (lowest === undefined || fromSequence < lowest) lowest = fromSequence
      return lowest
    },
  }
}

function accepts({ signatures }: Filter, emitted: ReadonlySet<string>): boolean {
  return signatures.length === 0 || signatures.some((signature) => emitted.has(signature))
}
