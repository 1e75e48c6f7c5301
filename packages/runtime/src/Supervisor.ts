import { pause } from './Backoff.ts'
import type { Clock } from './Clock.ts'
import type { Facts, Logger } from './Logger.ts'

/** Options of {@link supervise}. */
export interface SuperviseOptions {
  /** What does not work while the step fails, for the log and health, such as `old data is not removed`. */
  readonly effect: string
  readonly clock: Clock
  /** Returns random numbers, uniform in [0, 1), for the jitter of pauses. */
  readonly random: () => number
  readonly log: Logger
  /** Fields that are added to every log line. */
  readonly facts?: Facts
  /**
   * Called with the problem for health from the third consecutive failure on, and with undefined once a step has succeeded
   * again, or the loop has ended.
   */
  readonly report?: ((problem: string | undefined) => void) | undefined
  /** Returns whether an error ends the loop without a failure, because the work is no longer this process's; never by default. */
  readonly isOver?: (error: unknown) => boolean
}

/** Number of consecutive failures from which health has the problem. */
const REPORTED = 3
/** The pauses do not grow after this many consecutive failures. */
const MOST_FAILURES = 8

/**
 * Repeats a step until the signal is aborted. No error of the step ends the loop: it is logged and reported, and the step is
 * tried again after a growing pause. An error without a code is a bug, and is logged as an error. An error that
 * stays the same is logged once. Never throws.
 *
 * @example
 * ```ts
 * import { silentLogger, supervise, systemClock } from '@firn/runtime'
 *
 * const stop = new AbortController()
 * const step = async () => stop.abort()
 * const options = { effect: 'nothing is cleaned', clock: systemClock, random: Math.random, log: silentLogger }
 * await supervise(step, options, stop.signal)
 * ```
 */
export async function supervise(
  step: () => Promise<unknown>,
  options: SuperviseOptions,
  signal: AbortSignal,
): Promise<void> {
  const { effect, log, facts, report = () => undefined, isOver = () => false } = options
  let failures = 0
  let known: string | undefined
  const clear = () => {
    if (failures >= REPORTED) report(undefined)
    failures = 0
    known = undefined
  }
  while (!signal.aborted) {
    try {
      await step()
      clear()
    } catch (error) {
      if (signal.aborted || isOver(error)) break
      failures += 1
      const problem = `${effect}: ${error instanceof Error ? error.message : String(error)}`
      const code = codeOf(error)
      if (problem !== known) {
        if (code === undefined) log.error({ ...facts, failures, err: error }, `${problem} (a bug)`)
        else log.warn({ ...facts, code, failures }, problem)
      }
      known = problem
      if (failures >= REPORTED) report(problem)
      await pause(Math.min(failures, MOST_FAILURES), options, signal).catch(() => undefined)
    }
  }
  // Health has no problem of work that has ended.
  clear()
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
