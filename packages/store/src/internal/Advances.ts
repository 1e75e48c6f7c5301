import type { Driver } from './Driver.ts'
import { SnapshotCache } from './SnapshotCache.ts'

/** What is stored by now, and who wants to know when that changes. */
export class Advances<Snapshot> {
  readonly #snapshots: SnapshotCache<Snapshot>
  readonly #listeners = new Set<() => void>()

  /** @param now milliseconds, from any start */
  constructor(driver: Driver, schema: string, read: () => Promise<Snapshot>, now: () => number) {
    this.#snapshots = new SnapshotCache(read, now)
    driver.listen(channelOf(schema), () => this.tell(undefined))
  }

  async snapshot(signal: AbortSignal | undefined): Promise<Snapshot> {
    signal?.throwIfAborted()
    const snapshot = await this.#snapshots.get()
    signal?.throwIfAborted()
    return snapshot
  }

  listen(listener: () => void): () => void {
    // A listener of its own, so that one function may listen twice.
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Tells all who listen; undefined where what is stored is to be read first. */
  tell(snapshot: Snapshot | undefined): void {
    if (snapshot === undefined) this.#snapshots.drop()
    else this.#snapshots.put(snapshot)
    for (const listener of this.#listeners) listener()
  }
}

/** Where writers tell of new blocks. */
export function channelOf(schema: string): string {
  return `firn_${schema}`
}
