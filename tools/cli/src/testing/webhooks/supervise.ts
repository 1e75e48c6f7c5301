import { setTimeout as sleep } from 'node:timers/promises'
import type { TestPostgres } from '@firn/sql/testing'
import type { Replica } from '../Replica.ts'

/** Processes that serve one database, and the server of the database. For tests only. */
export interface Processes {
  readonly server: TestPostgres.Server
  readonly replicas: readonly Replica[]
  readonly random: () => number
  /** Called if a process ends that was not killed, except at its start because the database is unreachable. */
  readonly onFault: (reason: string) => void
  readonly counts: Map<string, number>
}

/** Starts a process, and starts it again if its database was down at the start, as a service manager does. For tests only. */
export const startSupervised = (replica: Replica, processes: Processes): void =>
  replica.start((reason) => {
    const isStarting = replica.url === undefined
    if (!isStarting || !/database|ECONN|connect|terminat/i.test(reason)) return processes.onFault(reason)
    count(processes, `${replica.kind} started again`)
    setTimeout(() => startSupervised(replica, processes), 200)
  })

/**
 * Kills all processes, and the processes of the database server, with SIGKILL, one at a time in random order, until each was killed
 * `rounds` times or the signal is aborted. Pauses some instead, if `mayPause` is set. For tests only.
 */
export const killAll = async (
  processes: Processes,
  { rounds, mayPause }: { readonly rounds: number; readonly mayPause: boolean },
  signal: AbortSignal,
): Promise<void> => {
  const { replicas, server, random } = processes
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    const victims: (Replica | undefined)[] = [...replicas, undefined]
    while (victims.length > 0 && !signal.aborted) {
      await sleep(200 + 1_300 * random())
      const at = Math.floor(random() * victims.length)
      // Most processes are killed while they work, and some while they start.
      if (victims[at] !== undefined && victims[at].url === undefined && random() < 0.9) continue
      const [victim] = victims.splice(at, 1)
      if (victim === undefined) {
        count(processes, 'kills of the database')
        await server.restart(500 * random(), 'KILL')
      } else if (mayPause && random() < 0.2) {
        count(processes, `pauses of ${victim.kind}`)
        victim.pause()
        // Some pauses are longer than claims and leases are valid.
        await sleep(9_000 * random())
        victim.resume()
      } else {
        count(processes, `kills of ${victim.kind}`)
        await victim.end('SIGKILL')
        await sleep(500 * random())
        startSupervised(victim, processes)
      }
    }
  }
}

function count({ counts }: Processes, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
