import { Hex } from '@firn/codec'
import { Version } from '@firn/p2p'
import { type Clock, type Logger, supervise } from '@firn/runtime'
import { Voters } from '@firn/sync'
import * as Connectivity from './Connectivity.ts'
import type { Dialler } from './createDialler.ts'
import type { PeerVoters } from './PeerVoters.ts'

/** Watches whether enough peers are connected. */
export interface ConnectionWatch {
  /** Returns the connections to the nodes that decide which blocks are accepted. */
  connections(): Connectivity.Connections
  /** Returns what is wrong, once too few peers have been connected for some seconds. */
  problem(): string | undefined
  close(): Promise<void>
}

/** Options of {@link watchConnections}. */
export interface ConnectionWatchOptions {
  readonly dialler: Pick<Dialler, 'connected' | 'error'>
  readonly voters: Pick<PeerVoters, 'current' | 'areBeacons'>
  readonly clock: Clock
  readonly log: Logger
}

const CHECK_MS = 1_000
/** Time in milliseconds for which too few peers may be connected before that is a problem. */
const PATIENCE_MS = 5_000
/** Time in milliseconds after which a problem is logged again. */
const REMINDER_MS = 60_000

/** Starts to watch the connections. A problem is logged when it begins, when its reason changes, and once a minute. */
export function watchConnections({ dialler, voters, clock, log }: ConnectionWatchOptions): ConnectionWatch {
  const stop = new AbortController()
  let enoughAt = clock.now()
  let current: Connectivity.Problem | undefined
  let loggedAt = Number.NEGATIVE_INFINITY
  const connections = (): Connectivity.Connections => {
    const all = voters.current()
    const connected = [...dialler.connected()]
    const keys = new Set(connected.map(Hex.encodeBare))
    const missing = all.filter(({ nodeId }) => !keys.has(Hex.encodeBare(nodeId)))
    return {
      voters: voters.areBeacons() ? 'beacons' : 'validators',
      count: all.length,
      connected: all.length - missing.length,
      totalWeight: Voters.totalWeight(all),
      connectedWeight: Voters.connectedWeight(all, connected),
      errors: missing.map(({ nodeId }) => dialler.error(nodeId)),
    }
  }
  const check = () => {
    const found = Connectivity.problem(connections(), Version.format(Version.CLAIMED))
    const now = clock.now()
    if (found === undefined) {
      if (current !== undefined) log.info({}, 'enough peers are connected')
      enoughAt = now
      current = undefined
      return
    }
    if (now - enoughAt < PATIENCE_MS) return
    if (found.kind !== current?.kind || current === undefined || now - loggedAt >= REMINDER_MS) {
      log.warn({ reason: found.kind ?? 'silent' }, found.text)
      loggedAt = now
    }
    current = found
  }
  const step = async () => {
    check()
    await clock.sleep(CHECK_MS, stop.signal).catch(() => undefined)
  }
  const loop = { effect: 'connections are not checked', clock, random: Math.random, log }
  const running = supervise(step, loop, stop.signal)
  return {
    connections,
    problem: () => current?.text,
    async close() {
      stop.abort()
      await running
    },
  }
}
