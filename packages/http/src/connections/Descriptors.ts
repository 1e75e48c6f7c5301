import { readFileSync } from 'node:fs'

/** Share of the file descriptors of a process that connections of clients may use. */
const SHARE = 0.75

/** The file descriptors that all servers of a process share for connections of clients. */
export interface Descriptors {
  /** Maximum number of connections of clients, so that descriptors remain for files, databases and nodes. */
  readonly capacity: number
  /** Number of open connections of clients. */
  held: number
}

/**
 * Creates the count of descriptors. `limits` is the text of `/proc/self/limits`; without a limit in it, the capacity is
 * infinite.
 */
export function create(limits: string): Descriptors {
  const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return {
    capacity: limit === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(limit) * SHARE),
    held: 0,
  }
}

/** The descriptors of this process. They belong to the process, so this is the only state that servers share. */
export const OF_PROCESS: Descriptors = create(readLimits())

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux has this file.
    return ''
  }
}
