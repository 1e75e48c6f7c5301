/**
 * Runs `work` with a signal that aborts as soon as one of `signals` does, with its reason, and resolves to its result.
 * The signal must not be used after the work has ended. `AbortSignal.any` is not used, because it keeps memory for as
 * long as any of the signals lives, which adds up if one of them lives as long as the process.
 *
 * @throws (rejects) the errors of `work`
 * @example
 * ```ts
 * import { systemClock, withAnySignal } from '@firn/runtime'
 *
 * const [stop, woken] = [new AbortController(), new AbortController()]
 * await withAnySignal([stop.signal, woken.signal], (signal) => systemClock.sleep(10, signal))
 * ```
 */
export async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController()
  const abort = ({ target }: Event) => either.abort((target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  }
  try {
    return await work(either.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}
