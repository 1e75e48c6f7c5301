/**
 * Returns a function that reads data for several callers at once. While a read is running, callers wait and then share
 * the next one, so a result is never older than the call. `read` gets the keys of all callers that share it; a failure
 * is returned to all of them.
 * @example
 * ```ts
 * import { shareReads } from '@firn/sql'
 *
 * const lengths = shareReads(async (keys: readonly string[]) => new Map(keys.map((key) => [key, key.length])))
 * const [a, b] = await Promise.all([lengths('one'), lengths('three')]) // one read
 * ```
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

/**
 * Like {@link shareReads}, for a read of each store that needs no key.
 * @example
 * ```ts
 * import { fetchFirst, type Queryable, shareReadsPerStore } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * const readCount = shareReadsPerStore((store: Queryable) => fetchFirst(store, sql`select count(*) from city`))
 * ```
 */
export function shareReadsPerStore<Store extends object, T>(
  read: (store: Store) => Promise<T>,
): (store: Store) => Promise<T> {
  const reads = new WeakMap<Store, (key: undefined) => Promise<T>>()
  return (store) => {
    const own = reads.get(store) ?? shareReads(() => read(store))
    reads.set(store, own)
    return own(undefined)
  }
}
