/**
 * Runs `work` with a signal that aborts after a time, for the reason that `createReason` returns. Unlike the signal of
 * `AbortSignal.timeout`, it keeps nothing of a request in memory after the end of `work`.
 */
export async function withTimeout<T>(
  milliseconds: number,
  createReason: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(createReason()), milliseconds)
  try {
    return await work(timeout.signal)
  } finally {
    clearTimeout(timer)
  }
}
