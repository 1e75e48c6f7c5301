/** Runs `work`, and `background` until `work` ends. Throws the first error of either. */
export async function withBackground(
  work: (signal: AbortSignal) => Promise<void>,
  background: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const running = [work(either), background(either)] as const
  try {
    // The background may end early without an error.
    await Promise.race([running[0], running[1].then(() => running[0])])
  } finally {
    ended.abort()
    await Promise.allSettled(running)
  }
}
