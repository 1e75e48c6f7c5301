import { Bytes } from '@firn/codec'
import { Peers } from '@firn/node-api'
import { type Peer, Timers } from '@firn/p2p'
import type { Logger } from '@firn/runtime'
import { describePeer } from './describePeer.ts'
import type { OwnPeers, OwnPeersOptions } from './OwnPeers.ts'
import * as Uptimes from './Uptimes.ts'
import * as UptimesFile from './UptimesFile.ts'

/** Options of {@link start}. */
export interface FollowedPeersOptions extends Pick<OwnPeersOptions, 'validators' | 'uptimesFile' | 'timers'> {
  /** Returns the open connections of the network that the blocks come from. */
  readonly connections: () => readonly Peer[]
  /** NodeID of this process, 20 bytes. */
  readonly nodeId: Uint8Array
  readonly log: Logger
}

/** Milliseconds between two looks at the connections. */
const LOOK_MS = 1_000
/** Number of looks after which the validators are read again and the uptimes are saved. */
const REFRESH_LOOKS = 60

/**
 * Measures the validators over the connections through which another component of this process follows the network,
 * and which it opens and closes.
 */
export async function start(options: FollowedPeersOptions): Promise<OwnPeers> {
  const { connections, nodeId, validators, uptimesFile, log, timers = Timers.SYSTEM } = options
  const kept = await UptimesFile.read(uptimesFile, log)
  const uptimes = new Uptimes.Uptimes(() => timers.now(), kept)
  const closing = new AbortController()
  let connected = new Map<string, Uint8Array>()
  let looks = 0
  let watched = 0
  let timer: Timers.Timer | undefined
  const isSelf = (other: Uint8Array) => Bytes.equals(other, nodeId)
  const isConnected = (other: Uint8Array) => isSelf(other) || connected.has(Peers.key(other))
  const compare = () => {
    const next = new Map(connections().map((peer) => [Peers.key(peer.nodeId), peer.nodeId]))
    for (const [key, other] of next) if (!connected.has(key)) uptimes.onConnected(other)
    for (const [key, other] of connected) if (!next.has(key)) uptimes.onDisconnected(other)
    connected = next
  }
  const refresh = async () => {
    try {
      const nodeIds = await validators(closing.signal)
      uptimes.watch(nodeIds, isConnected)
      watched = nodeIds.length
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, 'cannot look up the validators')
    }
    await UptimesFile.write(uptimesFile, uptimes, log)
  }
  let refreshing = Promise.resolve()
  const look = () => {
    compare()
    // Until the first connection, connections are being opened, which must not count as downtime.
    const isDue = looks % REFRESH_LOOKS === 0 || watched === 0
    if (connected.size > 0 || looks > 0) looks += 1
    if (isDue && connected.size > 0) refreshing = refreshing.then(refresh)
    if (!closing.signal.aborted) timer = timers.setTimer(look, LOOK_MS)
  }
  look()
  return {
    list: () => connections().map(describePeer),
    uptime: (other) => (isSelf(other) ? 1 : uptimes.of(other)),
    isConnected,
    async close() {
      closing.abort()
      timer?.cancel()
      await refreshing
      await UptimesFile.write(uptimesFile, uptimes, log)
    },
  }
}
