/**
 * Returns a controller that aborts when `parent` does. `release` removes the listener from the parent, which usually
 * lives longer.
 */
export function childOf(parent: AbortSignal): {
  readonly signal: AbortSignal
  readonly abort: (reason?: unknown) => void
  readonly release: () => void
} {
  const child = new AbortController()
  const onAbort = () => child.abort(parent.reason)
  if (parent.aborted) onAbort()
  else parent.addEventListener('abort', onAbort)
  return {
    signal: child.signal,
    abort: (reason) => child.abort(reason),
    release: () => parent.removeEventListener('abort', onAbort),
  }
}
