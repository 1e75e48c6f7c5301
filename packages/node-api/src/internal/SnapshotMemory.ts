import type { Snapshot } from '@firn/store'

/** What was computed of the newest snapshot, by a key of the caller's. */
export interface SnapshotMemory<T> {
  /** Returns what `compute` made for this snapshot and key before, or makes it now. A failure is not remembered. */
  get(at: Snapshot, key: string, compute: () => Promise<T>): Promise<T>
}

/** Returns an empty memory, which forgets all when the snapshot moves, and the oldest when it holds more than `limit`. */
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
