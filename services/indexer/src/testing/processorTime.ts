import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc. */
const TICKS = 100

/** Returns the processor time of a process so far, in seconds; 0 where there is no /proc. For benches only. */
export function cpuSeconds(pid: number): number {
  try {
    const [user, system, ended, endedSystem] = statOf(`${pid}`).slice(11, 15).map(Number)
    return ((user ?? 0) + (system ?? 0) + (ended ?? 0) + (endedSystem ?? 0)) / TICKS
  } catch {
    return 0
  }
}

/**
 * Returns the processor time of the PostgreSQL servers that this process started, in seconds; 0 where there is no
 * /proc. For benches only.
 */
export function databaseSeconds(): number {
  const isDescendant = (pid: string): boolean => {
    const parent = statOf(pid)[1] ?? '0'
    return parent === `${process.pid}` || (parent !== '0' && parent !== '1' && isDescendant(parent))
  }
  const isDatabase = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres') && isDescendant(pid)
    } catch {
      return false
    }
  }
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.filter(isDatabase).reduce((sum, pid) => sum + cpuSeconds(Number(pid)), 0)
  } catch {
    return 0
  }
}

/** Returns the fields of /proc/<pid>/stat after the name. */
function statOf(pid: string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
}
