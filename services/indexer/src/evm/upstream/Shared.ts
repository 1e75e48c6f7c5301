/** Work whose result is shared by all callers. */
export interface Shared<T> {
  /**
   * Returns the result, and starts the work if no other caller has. If the caller that started it was aborted, the work
   * starts again for the callers that were not.
   * @throws the error of the work, after which the next call starts it again
   */
  get(signal: AbortSignal): Promise<T>
  /** Makes the next call start the work again. */
  forget(): void
}

/** Creates shared work, which does not start yet. */
export function createShared<T>(work: (signal: AbortSignal) => Promise<T>): Shared<T> {
  let current: { readonly result: Promise<T>; readonly signal: AbortSignal } | undefined
  const get = async (signal: AbortSignal): Promise<T> => {
    current ??= { result: work(signal), signal }
    const joined = current
    try {
      return await joined.result
    } catch (error) {
      if (current === joined) current = undefined
      if (joined.signal.aborted && !signal.aborted) return get(signal)
      throw error
    }
  }
  return {
    get,
    forget() {
      current = undefined
    },
  }
}
