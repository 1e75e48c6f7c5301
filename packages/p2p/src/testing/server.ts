import { afterEach } from 'vitest'
import type { P2pErrorCode } from '../P2pError.ts'
import type { Peer } from '../Peer.ts'
import { createPeerServer, type PeerServer, type PeerServerOptions } from '../PeerServer.ts'
import { createManualTimers, type ManualTimers } from '../Timers.ts'
import { becomeReady, CHAIN, cheapIdentity, connectRaw, NETWORK_ID, type Raw, SECOND } from './raw.ts'

/** A server with manual timers, for raw clients. */

export interface Rig {
  readonly server: PeerServer
  readonly timers: ManualTimers
  readonly now: () => bigint
  /** Error codes with which connections ended or were refused, in order. */
  readonly reasons: P2pErrorCode[]
  readonly peers: Peer[]
}

const rigs: Rig[] = []
afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ server }) => server.close()))
})

export async function start(options: Partial<PeerServerOptions> = {}): Promise<Rig> {
  const timers = createManualTimers()
  const reasons: P2pErrorCode[] = []
  const peers: Peer[] = []
  const server = await createPeerServer({
    networkId: NETWORK_ID,
    identity: cheapIdentity(),
    timers,
    onAppRequest: (_peer, request, reply) => reply.response(request.bytes),
    onReady: (peer) => peers.push(peer),
    onClose: (_peer, reason) => reasons.push(reason.code),
    onRefused: (_remote, reason) => reasons.push(reason.code),
    ...options,
  })
  const rig = { server, timers, now: () => BigInt(Math.floor(timers.now() / SECOND)), reasons, peers }
  rigs.push(rig)
  return rig
}

export async function ready(rig: Rig): Promise<Raw> {
  const raw = await connectRaw(rig.server.address)
  await becomeReady(raw, rig.now())
  return raw
}

let nextId = 1
export async function answers(raw: Raw): Promise<boolean> {
  const requestId = nextId++
  raw.send({
    case: 'appRequest',
    value: { chainId: CHAIN, requestId, deadline: 10_000_000_000n, appBytes: CHAIN },
  })
  const response = await raw.next('appResponse')
  return response.requestId === requestId && Buffer.compare(response.appBytes, CHAIN) === 0
}
