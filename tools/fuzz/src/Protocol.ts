/** An order that the runner sends to its worker thread. */
export type Order = {
  readonly target: string
  readonly seed: number
  /** Number of the first case. */
  readonly from: number
  /** Maximum number of cases. */
  readonly cases: number
  /** Maximum duration in milliseconds. A minimum number of cases runs even if the time is used up. */
  readonly durationMs: number
  /** Maximum growth of memory in bytes, measured after garbage collection if necessary. */
  readonly memoryCap: number
}

/** The worker's report on an order. */
export type Report = {
  readonly ran: number
  /**
   * Growth of memory in bytes. Uncollected garbage is included unless the growth including garbage exceeds
   * the limit; then it is measured again after garbage collection.
   */
  readonly grownBytes: number
  readonly failure?: { readonly index: number; readonly problem: string }
}

/** Data passed to the worker at its start. */
export type WorkerData = {
  /** URL of the module that exports `targets`. */
  readonly registry: string
  /** Two 32-bit cells: the number of the current case, and a counter that changes with each case. */
  readonly progress: SharedArrayBuffer
}

export const CASE_CELL = 0
export const BEAT_CELL = 1
