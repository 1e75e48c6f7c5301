/** Work that several callers may wait for. */
export interface Shared {
  /** True once the work has ended, so that no caller can join any more. */
  readonly closed: boolean
}

/** Work in progress by key; made by {@link create}. */
export interface Coalescing<Work extends Shared> {
  /** Returns the work in progress under `key`, or starts it. */
  join(key: string, start: () => Work): Work
  /** Removes the work under `key` if it is still this one. */
  leave(key: string, work: Work): void
  readonly size: number
}

/** Returns an empty table. The caller reports the end of each work with `leave`. */
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
