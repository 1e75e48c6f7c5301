import { readdirSync, readFileSync } from 'node:fs'

/** Share of the file descriptors that connections of clients may use; the rest is for files, databases and nodes. */
const SHARE = 0.75
/** Time in milliseconds after which the descriptors in use are counted again. */
const COUNT_MS = 5_000

/** The file descriptors that all servers of a process share for connections of clients. */
export interface Descriptors {
  /** Returns the maximum number of connections of clients. */
  capacity(): number
  /** Number of open connections of clients. */
  held: number
}

/** What {@link create} reads from the operating system. */
export interface Sources {
  /** Returns the text of `/proc/self/limits`. */
  readonly limits: () => string
  /** Returns the number of descriptors in use. */
  readonly open: () => number
  /** Returns milliseconds since any moment. */
  readonly now: () => number
}

/**
 * Creates the count of descriptors. Clients may use three quarters of those that the process does not need otherwise.
 * Without a limit, or on systems that do not report it, the capacity is infinite.
 */
export function create({ limits, open, now }: Sources): Descriptors {
  const text = /^Max open files\s+(\d+)/m.exec(limits())?.[1]
  const limit = text === undefined ? Number.POSITIVE_INFINITY : Number(text)
  let [others, countedAt] = [0, Number.NEGATIVE_INFINITY]
  const descriptors: Descriptors = {
    held: 0,
    capacity() {
      if (limit === Number.POSITIVE_INFINITY) return limit
      if (now() - countedAt >= COUNT_MS) {
        others = Math.max(0, open() - descriptors.held)
        countedAt = now()
      }
      return Math.max(1, Math.floor((limit - others) * SHARE))
    },
  }
  return descriptors
}

/** The descriptors of this process. They belong to the process, so this is the only state that servers share. */
export const OF_PROCESS: Descriptors = create({
  // Only Linux has these files.
  limits: () => attempt(() => readFileSync('/proc/self/limits', 'utf8'), ''),
  open: () => attempt(() => readdirSync('/proc/self/fd').length, 0),
  now: () => performance.now(),
})

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
