import type { Driver } from './Driver.ts'
import { SnapshotCache } from './internal/SnapshotCache.ts'

/** Caches the current snapshot and notifies listeners when it changes. */
export class Advances<Snapshot> {
  readonly #snapshots: SnapshotCache<Snapshot>
  readonly #listeners = new Set<() => void>()

  /** @param now returns milliseconds since an arbitrary start */
  constructor(driver: Driver, schema: string, read: () => Promise<Snapshot>, now: () => number) {
    this.#snapshots = new SnapshotCache(read, now)
    driver.listen(channelName(schema), () => this.tell(undefined))
  }

  async snapshot(signal: AbortSignal | undefined): Promise<Snapshot> {
    signal?.throwIfAborted()
    const snapshot = await this.#snapshots.get()
    signal?.throwIfAborted()
    return snapshot
  }

  listen(listener: () => void): () => void {
    // Each registration gets its own wrapper, so that one function may be registered twice.
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /**
   * Caches a new snapshot and notifies all listeners. If it is undefined, discards the cached snapshot, so that the
   * next reader reads it from the database.
   */
  tell(snapshot: Snapshot | undefined): void {
    if (snapshot === undefined) this.#snapshots.drop()
    else this.#snapshots.put(snapshot)
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Returns the notification channel on which writers announce new blocks.
 * @example
 * ```ts
 * import { channelName } from '@firn/sql'
 *
 * channelName('primary_1') // 'firn_primary_1'
 * ```
 */
export function channelName(schema: string): string {
  return `firn_${schema}`
}
