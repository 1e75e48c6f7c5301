import type { Operators } from '@firn/operate'

/** One answered request. */
export interface Answered {
  /** Name of the caller's key; empty without a key. */
  readonly key: string
  /** Method and path pattern of the endpoint. */
  readonly method: string
  readonly units: number
  readonly isError: boolean
}

/** Counts of requests since the start of the process, by key and method. */
export interface UsageCounts {
  add(answered: Answered): void
  list(): readonly Operators.Usage[]
}

/** Number of pairs of a key and a method that are counted. Further pairs are not counted. */
const MAX_PAIRS = 10_000

/** Creates counts without any request. */
export function createUsageCounts(): UsageCounts {
  const counts = new Map<string, Operators.Usage>()
  return {
    add: ({ key, method, units, isError }) => {
      const pair = `${key}\n${method}`
      const before = counts.get(pair)
      if (before === undefined && counts.size >= MAX_PAIRS) return
      const { requests = 0, errors = 0, units: sum = 0 } = before ?? {}
      counts.set(pair, {
        ...{ service: 'data-api', key, method, requests: requests + 1 },
        ...{ errors: errors + (isError ? 1 : 0), units: sum + units },
      })
    },
    list: () => [...counts.values()],
  }
}
