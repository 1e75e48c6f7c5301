/** The oldest that a snapshot may be, in milliseconds. */
const MAX_AGE = 200

/** Keeps the last snapshot until it is outdated; all who ask meanwhile share one query. */
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
    // A failure is told to those who wait for it, and not kept.
    entry.snapshot.catch(() => {
      if (this.#last === entry) this.#last = undefined
    })
    return entry.snapshot
  }

  /** What the writer in this process left: nobody has to read it. */
  put(snapshot: Snapshot): void {
    this.#last = { at: this.#now(), snapshot: Promise.resolve(snapshot) }
  }

  /** What was read, or is being read, is outdated. */
  drop(): void {
    this.#last = undefined
  }
}
