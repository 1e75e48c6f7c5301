/**
 * Returns a function that reads data for several callers at once. While a read is running, callers wait and then share
 * the next one, so a result is never older than the call. `read` gets the keys of all callers that share it; a failure
 * is returned to all of them.
 */
export function shareReads<Key, T>(read: (keys: readonly Key[]) => Promise<T>): (key: Key) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { readonly keys: Set<Key>; readonly result: Promise<T> } | undefined
  const schedule = () => {
    const keys = new Set<Key>()
    const result = last.then(() => {
      next = undefined
      return read([...keys])
    })
    last = result.catch(() => undefined)
    return { keys, result }
  }
  return (key) => {
    next ??= schedule()
    next.keys.add(key)
    return next.result
  }
}
