import { afterEach } from 'vitest'
import { createNetwork, type Network, type NetworkOptions } from '../Network.ts'
import type { P2pErrorCode } from '../P2pError.ts'
import { createManualTimers, type ManualTimers } from '../Timers.ts'
import {
  CHAIN,
  cheapIdentity,
  listenRaw,
  NETWORK_ID,
  type Raw,
  type RawServer,
  SECOND,
  welcome,
} from './raw.ts'

/** Helpers for tests: a network with manual timers, and a raw node that it connects to. */

export const REQUEST = { chainId: CHAIN, bytes: Uint8Array.of(2, 9, 9), deadlineMs: 5_000 }

export interface Rig {
  readonly network: Network
  readonly timers: ManualTimers
  readonly now: () => bigint
  readonly reasons: P2pErrorCode[]
}

export const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

export function start(options: Partial<NetworkOptions> = {}): Rig {
  const timers = createManualTimers()
  const reasons: P2pErrorCode[] = []
  const network = createNetwork({
    networkId: NETWORK_ID,
    identity: cheapIdentity(),
    timers,
    onDisconnected: (_peer, reason) => reasons.push(reason.code),
    ...options,
  })
  closers.push(() => network.close())
  return { network, timers, now: () => BigInt(Math.floor(timers.now() / SECOND)), reasons }
}

export async function listen(): Promise<RawServer> {
  const server = await listenRaw()
  closers.push(server.close)
  return server
}

export function aim(
  { network }: Rig,
  server: { readonly nodeId: Uint8Array; readonly address: { host: string; port: number } },
): void {
  network.addEndpoint(server.nodeId, server.address)
  network.track([server.nodeId])
}

/** Returns a network with manual timers that is connected to one raw server. */
export async function connected(
  options: Partial<NetworkOptions> = {},
): Promise<Rig & { raw: Raw; server: RawServer; nodeId: Uint8Array }> {
  const [rig, server] = [start(options), await listen()]
  const { nodeId } = server.identity
  aim(rig, { nodeId, address: server.address })
  const raw = await server.next()
  await welcome(raw, rig.now())
  await rig.network.connected(nodeId)
  return { ...rig, raw, server, nodeId }
}
