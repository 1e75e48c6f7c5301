/** Maximum age of a cached snapshot, in milliseconds. */
const MAX_AGE = 200

/** Caches the last snapshot until it is outdated. Concurrent readers share one query. */
export class SnapshotCache<Snapshot> {
  readonly #read: () => Promise<Snapshot>
  readonly #now: () => number
  #last: { readonly at: number; readonly snapshot: Promise<Snapshot> } | undefined

  constructor(read: () => Promise<Snapshot>, now: () => number) {
    this.#read = read
    this.#now = now
  }

  get(): Promise<Snapshot> {
    const at = this.#now()
    if (this.#last !== undefined && at - this.#last.at < MAX_AGE) return this.#last.snapshot
    const entry = { at, snapshot: this.#read() }
    this.#last = entry
    // All waiting readers get the failure, but it is not cached.
    entry.snapshot.catch(() => {
      if (this.#last === entry) this.#last = undefined
    })
    return entry.snapshot
  }

  /** Stores the snapshot of the writer in this process, which saves a query. */
  put(snapshot: Snapshot): void {
    this.#last = { at: this.#now(), snapshot: Promise.resolve(snapshot) }
  }

  /** Discards the cached or pending snapshot. */
  drop(): void {
    this.#last = undefined
  }
}
