/** What the runner asks of its worker thread. */
export type Order = {
  readonly target: string
  readonly seed: number
  /** Number of the first case. */
  readonly from: number
  /** Most cases to run. */
  readonly cases: number
  /** Longest to run, in milliseconds; a few cases are run even when it is over. */
  readonly durationMs: number
  /** Most bytes by which memory may have grown once garbage is collected. */
  readonly memoryCap: number
}

/** What the worker answers to an order. */
export type Report = {
  readonly ran: number
  readonly grownBytes: number
  readonly failure?: { readonly index: number; readonly problem: string }
}

/** What the worker is started with. */
export type WorkerData = {
  /** Module that exports `targets`. */
  readonly registry: string
  /** Two 32-bit cells: the number of the case at work, and a count that moves with each case. */
  readonly progress: SharedArrayBuffer
}

export const CASE_CELL = 0
export const BEAT_CELL = 1
