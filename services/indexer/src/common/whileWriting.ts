import { isFirnError } from '@firn/codec'
import { type SuperviseOptions, supervise } from '@firn/runtime'

/** Options of work in the background of the process that writes; see `supervise`. */
export type WorkOptions = Pick<SuperviseOptions, 'clock' | 'random' | 'log' | 'report'>

/** Repeats a step, also after errors, until the signal is aborted or another process writes. Never throws. */
export function whileWriting(
  step: () => Promise<void>,
  options: WorkOptions & Pick<SuperviseOptions, 'effect' | 'facts'>,
  signal: AbortSignal,
): Promise<void> {
  const isOver = (error: unknown) => isFirnError(error) && error.code === 'STORE_FENCED'
  return supervise(step, { ...options, isOver }, signal)
}
