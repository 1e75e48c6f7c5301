/**
 * Adapts the number of calls per request. Reduces it after a request was too large, and increases it after
 * successful requests.
 */
export interface BatchSize {
  current(): number
  /** Records that a request of `calls` calls was too large. */
  refused(calls: number): void
  /** Records that a request of `calls` calls succeeded. */
  accepted(calls: number): void
}

/** Number of consecutive successful requests before the size grows. */
const STREAK = 3
/**
 * Number of requests before a refused size is tried again. The number doubles each time the size is refused.
 */
const FIRST_PATIENCE = 12
const LONGEST_PATIENCE = 400

/** Creates a batch size that starts at `first` and grows up to `most`. */
export function createBatchSize(first: number, most: number): BatchSize {
  let current = Math.min(first, most)
  let streak = 0
  let sinceRefusal = 0
  let patience = FIRST_PATIENCE
  /** Smallest refused size. It is not tried again for a while. */
  let barrier = Number.POSITIVE_INFINITY
  return {
    current: () => current,
    refused(calls) {
      if (sinceRefusal >= patience) patience = Math.min(patience * 2, LONGEST_PATIENCE)
      barrier = Math.min(barrier, Math.max(calls, 2))
      current = Math.max(Math.floor(Math.min(calls, current) / 2), 1)
      streak = 0
      sinceRefusal = 0
    },
    accepted(calls) {
      // The success of a small request does not show that a larger one would succeed.
      if (calls * 2 <= current) return
      streak += 1
      sinceRefusal += 1
      if (sinceRefusal >= patience) barrier = Number.POSITIVE_INFINITY
      if (streak < STREAK) return
      streak = 0
      const between = Math.ceil((current + Math.min(barrier, most + 1)) / 2)
      current = Math.max(Math.min(current * 2, between, barrier - 1, most), current)
    },
  }
}
