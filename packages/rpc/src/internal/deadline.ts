/** A signal that aborts after some time or together with another one. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the time is over. */
  readonly isOver: () => boolean
  /** Stops the timer and leaves no listener on the other signal. */
  readonly clear: () => void
}

/** Returns a deadline `timeoutMs` from now. `AbortSignal.any` would keep its listener as long as the other signal lives. */
export function startDeadline(timeoutMs: number, other: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(other?.reason)
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeoutMs)
  if (other?.aborted) abort()
  other?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer)
      other?.removeEventListener('abort', abort)
    },
  }
}
