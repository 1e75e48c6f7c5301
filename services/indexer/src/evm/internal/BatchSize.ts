/** How many calls go into one request: fewer when that was too many, more again when it goes well. */
export interface BatchSize {
  current(): number
  /** A request of so many calls was too large. */
  refused(calls: number): void
  /** A request of so many calls went well. */
  accepted(calls: number): void
}

/** Requests in a row before more is tried. */
const STREAK = 3
/** Requests before as many as were once refused are tried again: twice as many after each time that they were refused. */
const FIRST_PATIENCE = 12
const LONGEST_PATIENCE = 400

/** Returns a size that begins at `first` and grows to `most`. */
export function createBatchSize(first: number, most: number): BatchSize {
  let current = Math.min(first, most)
  let streak = 0
  let sinceRefusal = 0
  let patience = FIRST_PATIENCE
  /** The least that was refused; not tried for a while. */
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
      // A small request says nothing of a larger one.
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
