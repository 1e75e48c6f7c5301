import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeId } from '@firn/codec'
import { createPeerServer, Endpoint, type Peer, type PeerServer, Timers } from '@firn/p2p'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as OwnIdentity from '../identity/OwnIdentity.ts'
import * as OwnPeers from './OwnPeers.ts'
import * as Uptimes from './Uptimes.ts'

/** Polls `look` and advances the time before each attempt. */
const inTime = <T>(timers: Timers.ManualTimers, look: () => T) =>
  expect.poll(() => {
    timers.advance(100)
    return look()
  })

const NETWORK = 12345
const SUBNET = new Uint8Array(32).fill(9)
const SECOND = 1_000
const REFRESH = SECOND

let folder: string
let closers: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-peers-'))
})
afterEach(async () => {
  await Promise.all(closers.map((close) => close()))
  closers = []
  await rm(folder, { recursive: true, force: true })
})

interface Node {
  readonly server: PeerServer
  readonly ready: Peer[]
}

async function startNode(timers: Timers.Timers): Promise<Node> {
  const ready: Peer[] = []
  const server = await createPeerServer({
    networkId: NETWORK,
    identity: OwnIdentity.create().peer,
    timers,
    trackedSubnets: [SUBNET],
    supportedAcps: [103],
    onReady: (peer) => ready.push(peer),
    // The test sends a Ping itself, and no other part of the test waits for the Pong.
    onMessage: (_peer, { case: kind }) => kind === 'pong',
  })
  closers.push(() => server.close())
  return { server, ready }
}

const address = ({ server }: Node): OwnPeers.Address => ({
  nodeId: server.nodeId,
  endpoint: server.address,
})

interface Rig {
  readonly peers: OwnPeers.OwnPeers
  readonly warnings: string[]
}

async function joinNetwork(
  timers: Timers.Timers,
  options: Partial<OwnPeers.OwnPeersOptions> & Pick<OwnPeers.OwnPeersOptions, 'bootstrap'>,
): Promise<Rig> {
  const warnings: string[] = []
  const quiet = () => undefined
  const peers = await OwnPeers.start({
    networkId: NETWORK,
    identity: OwnIdentity.create().peer,
    validators: async () => options.bootstrap.map(({ nodeId }) => nodeId),
    uptimesFile: join(folder, 'uptimes.json'),
    log: { debug: quiet, info: quiet, warn: (_facts, text) => warnings.push(text), error: quiet },
    timers,
    refreshMs: REFRESH,
    ...options,
  })
  closers.push(() => peers.close())
  return { peers, warnings }
}

const connectedTo = (peers: OwnPeers.OwnPeers) => peers.list().map(({ nodeId }) => NodeId.format(nodeId))

describe('peers', () => {
  test('lists peers in the order of connection, with the data that they reported', async () => {
    const timers = Timers.createManualTimers()
    const [a, b] = [await startNode(timers), await startNode(timers)]
    const later: OwnPeers.Address[] = []
    const { peers } = await joinNetwork(timers, {
      bootstrap: [address(b)],
      validators: async () => [a.server.nodeId, b.server.nodeId],
      addresses: async () => later,
    })
    await expect.poll(() => peers.list().length).toBe(1)
    expect(peers.isConnected(a.server.nodeId)).toBe(false)
    later.push(address(a))
    await inTime(timers, () => connectedTo(peers)).toEqual(
      [b, a].map(({ server }) => NodeId.format(server.nodeId)),
    )
    const [peer] = peers.list()
    expect(peer).toMatchObject({
      publicIP: Endpoint.format(b.server.address),
      ip: Endpoint.format(b.server.address),
      version: 'avalanchego/1.15.0',
      upgradeTime: 1_607_144_400,
      observedUptime: 0,
      trackedSubnets: [SUBNET],
      supportedACPs: [103],
      objectedACPs: [],
    })
    b.ready[0]?.send({ case: 'ping', value: { uptime: 87 } })
    await expect.poll(() => peers.list()[0]?.observedUptime).toBe(87)
  })

  test('requests addresses only for validators whose address is unknown', async () => {
    const timers = Timers.createManualTimers()
    const [a, b] = [await startNode(timers), await startNode(timers)]
    const asked: string[][] = []
    const { peers } = await joinNetwork(timers, {
      bootstrap: [address(a)],
      validators: async () => [a.server.nodeId, b.server.nodeId],
      addresses: async (nodeIds) => {
        asked.push(nodeIds.map((nodeId) => NodeId.format(nodeId)))
        return []
      },
    })
    await expect.poll(() => peers.list().length).toBe(1)
    await inTime(timers, () => asked.length).toBeGreaterThan(2)
    expect(asked.at(-1)).toEqual([NodeId.format(b.server.nodeId)])
  })

  test('disconnects peers that are no longer validators', async () => {
    const timers = Timers.createManualTimers()
    const [a, b] = [await startNode(timers), await startNode(timers)]
    let validators = [a.server.nodeId, b.server.nodeId]
    const { peers } = await joinNetwork(timers, {
      bootstrap: [address(a)],
      validators: async () => validators,
      addresses: async () => [address(b)],
    })
    await expect.poll(() => peers.list().length).toBe(2)
    validators = []
    await inTime(timers, () => connectedTo(peers)).toEqual([NodeId.format(a.server.nodeId)])
    expect(peers.uptime(b.server.nodeId)).toBeUndefined()
  })

  test('keeps all peers while the validator set is unknown', async () => {
    const timers = Timers.createManualTimers()
    const a = await startNode(timers)
    const { peers, warnings } = await joinNetwork(timers, {
      bootstrap: [address(a)],
      validators: () => Promise.reject(new Error('no database')),
    })
    await expect.poll(() => peers.list().length).toBe(1)
    expect(warnings).toEqual(['cannot look up the validators to connect to'])
    expect(peers.uptime(a.server.nodeId)).toBeUndefined()
  })
})

describe('measured uptime', () => {
  test('measures uptime while a node is connected, and continues after a restart', async () => {
    const timers = Timers.createManualTimers()
    const a = await startNode(timers)
    const { nodeId } = a.server
    const first = await joinNetwork(timers, { bootstrap: [address(a)] })
    await expect.poll(() => first.peers.isConnected(nodeId)).toBe(true)
    await expect.poll(() => first.peers.uptime(nodeId)).toBe(1)
    timers.advance(10 * SECOND)
    expect(first.peers.uptime(nodeId)).toBe(1)
    await a.server.close()
    await expect.poll(() => first.peers.isConnected(nodeId)).toBe(false)
    timers.advance(10 * SECOND)
    expect(first.peers.uptime(nodeId)).toBe(0.5)
    await first.peers.close()
    timers.advance(20 * SECOND)
    const second = await joinNetwork(timers, { bootstrap: [address(a)] })
    await expect.poll(() => second.peers.uptime(nodeId)).toBe(0.75)
  })

  test('reports an uptime of 100% for this node itself', async () => {
    const identity = OwnIdentity.create().peer
    const { peers } = await joinNetwork(Timers.createManualTimers(), { bootstrap: [], identity })
    expect([peers.isConnected(identity.nodeId), peers.uptime(identity.nodeId)]).toEqual([true, 1])
  })

  test('restarts the measurement if the stored file is unreadable', async () => {
    const path = join(folder, 'uptimes.json')
    await writeFile(path, '{"NodeID-')
    const { peers, warnings } = await joinNetwork(Timers.createManualTimers(), { bootstrap: [] })
    expect(warnings).toEqual(['invalid stored uptimes of peers; restarting the measurement'])
    await peers.close()
    expect(Uptimes.parse(await readFile(path, 'utf8'))).toEqual([])
  })
})
