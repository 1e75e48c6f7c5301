/** An order of the runner to its worker thread. */
export type Order = {
  readonly target: string
  readonly seed: number
  /** Number of the first case. */
  readonly from: number
  /** Maximum number of cases. */
  readonly cases: number
  /** Maximum duration in milliseconds; a few cases run even when it is over. */
  readonly durationMs: number
  /** Maximum growth of memory in bytes after garbage collection. */
  readonly memoryCap: number
}

/** The worker's report on an order. */
export type Report = {
  readonly ran: number
  readonly grownBytes: number
  readonly failure?: { readonly index: number; readonly problem: string }
}

/** The data that the worker starts with. */
export type WorkerData = {
  /** The module that exports `targets`. */
  readonly registry: string
  /** Two 32-bit cells: the number of the current case, and a counter that changes with each case. */
  readonly progress: SharedArrayBuffer
}

export const CASE_CELL = 0
export const BEAT_CELL = 1
