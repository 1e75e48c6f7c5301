import type { Snapshot } from '@firn/store'

/** Caches values computed from the newest snapshot, by key. */
export interface SnapshotMemory<T> {
  /**
   * Returns the cached value for this snapshot and key, or computes and caches it. A failed computation is
   * not cached.
   */
  get(at: Snapshot, key: string, compute: () => Promise<T>): Promise<T>
}

/**
 * Creates an empty cache. The cache is cleared when the snapshot changes, and evicts the oldest values above
 * `limit`.
 */
export function createSnapshotMemory<T>(limit: number): SnapshotMemory<T> {
  const values = new Map<string, Promise<T>>()
  let heldFor: string | undefined
  return {
    get(at, key, compute) {
      if (heldFor !== at.key) {
        values.clear()
        heldFor = at.key
      }
      const known = values.get(key)
      if (known !== undefined) return known
      const value = compute()
      values.set(key, value)
      value.catch(() => {
        if (values.get(key) === value) values.delete(key)
      })
      const [oldest] = values.keys()
      if (values.size > limit && oldest !== undefined) values.delete(oldest)
      return value
    },
  }
}
