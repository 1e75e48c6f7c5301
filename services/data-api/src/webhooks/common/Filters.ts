/** Members of the filters of all kinds of webhooks. */
export interface Filter {
  /** Id of the webhook. */
  readonly id: string
  /** No messages are sent about changes of the source up to this one. */
  readonly fromSequence: bigint
  /** What the webhook observes, as text. */
  readonly keys: readonly string[]
}

/** The filters of webhooks in memory, by their keys. */
export interface Filters<F extends Filter> {
  /** Number of webhooks. */
  readonly size: number
  /** Adds a filter, or replaces the one of the same webhook. */
  put(filter: F): void
  remove(id: string): void
  /** Returns the filters that observe a key. */
  of(key: string): Iterable<F>
  all(): Iterable<F>
  /** Returns the lowest position after which any webhook gets messages; undefined without webhooks. */
  lowest(): bigint | undefined
}

/** Creates an index without filters. */
export function createFilters<F extends Filter>(): Filters<F> {
  const filters = new Map<string, F>()
  const byKey = new Map<string, Set<F>>()

  const remove = (id: string) => {
    const filter = filters.get(id)
    if (filter === undefined) return
    filters.delete(id)
    for (const key of filter.keys) {
      const own = byKey.get(key)
      own?.delete(filter)
      if (own?.size === 0) byKey.delete(key)
    }
  }

  return {
    get size() {
      return filters.size
    },
    put(filter) {
      remove(filter.id)
      filters.set(filter.id, filter)
      for (const key of filter.keys) {
        const own = byKey.get(key)
        if (own === undefined) byKey.set(key, new Set([filter]))
        else own.add(filter)
      }
    },
    remove,
    of: (key) => byKey.get(key) ?? [],
    all: () => filters.values(),
    lowest() {
      let lowest: bigint | undefined
      for (const { fromSequence } of filters.values())
        if (lowest === undefined || fromSequence < lowest) lowest = fromSequence
      return lowest
    },
  }
}

/** Returns the lowest position after which any webhook of the indexes is sent events; undefined without webhooks. */
export function lowestOf(indexes: readonly Pick<Filters<Filter>, 'lowest'>[]): bigint | undefined {
  return indexes
    .map((index) => index.lowest())
    .reduce(
      (one, other) => (one === undefined || (other !== undefined && other < one) ? other : one),
      undefined,
    )
}
