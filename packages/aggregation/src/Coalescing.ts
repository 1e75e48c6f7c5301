/** Work in progress that several callers may wait for. */
export interface Shared {
  /** True once the work has ended, so that no more callers can join. */
  readonly closed: boolean
}

/** Table of work in progress by key; created by {@link create}. */
export interface Coalescing<Work extends Shared> {
  /** Returns the work in progress under `key`, or starts new work. */
  join(key: string, start: () => Work): Work
  /** Removes `work` from the table. Does nothing if other work is now registered under `key`. */
  leave(key: string, work: Work): void
  readonly size: number
}

/** Returns an empty table. The caller must call `leave` when the work ends. */
export function create<Work extends Shared>(): Coalescing<Work> {
  const inFlight = new Map<string, Work>()
  return {
    join(key, start) {
      const known = inFlight.get(key)
      if (known !== undefined && !known.closed) return known
      const work = start()
      inFlight.set(key, work)
      return work
    },
    leave(key, work) {
      if (inFlight.get(key) === work) inFlight.delete(key)
    },
    get size() {
      return inFlight.size
    },
  }
}
