/** How many calls go into one request: fewer when that was too many, more again when it goes well. */
export interface BatchSize {
  current(): number
  /** A request of so many calls was too large. */
  refused(calls: number): void
  /** A request of so many calls went well. */
  accepted(calls: number): void
}

/** Full requests in a row before more is tried, and before as many as were once refused are tried again. */
const STREAK = 4
const FORGIVENESS = 64

/** Returns a size that begins at `first` and grows to `most`. */
export function createBatchSize(first: number, most: number): BatchSize {
  let current = Math.min(first, most)
  let streak = 0
  let sinceRefusal = 0
  /** The least that was refused; not tried for a while. */
  let barrier = Number.POSITIVE_INFINITY
  return {
    current: () => current,
    refused(calls) {
      barrier = Math.min(barrier, Math.max(calls, 2))
      current = Math.max(Math.floor(Math.min(calls, current) / 2), 1)
      streak = 0
      sinceRefusal = 0
    },
    accepted(calls) {
      if (calls < current) return
      streak += 1
      sinceRefusal += 1
      if (sinceRefusal >= FORGIVENESS) barrier = Number.POSITIVE_INFINITY
      if (streak < STREAK) return
      streak = 0
      const between = Math.ceil((current + Math.min(barrier, most + 1)) / 2)
      current = Math.max(Math.min(current * 2, between, barrier - 1, most), current)
    },
  }
}
