/** A signal that aborts after some time or together with another signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the time has expired. */
  readonly isOver: () => boolean
  /** Stops the timer and removes the listener from the other signal. */
  readonly clear: () => void
}

/**
 * Creates a deadline that expires `timeoutMs` milliseconds from now. `AbortSignal.any` is not used, because
 * it would keep its listener for as long as the other signal lives.
 */
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
