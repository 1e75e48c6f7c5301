import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { AppAnswer } from './AppRequests.ts'
import { createClaimBook, type PeersQuery } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import * as Frame from './Frame.ts'
import type * as Identity from './Identity.ts'
import * as Message from './Message.ts'
import { createNetwork, type Network, type NetworkOptions } from './Network.ts'
import type { P2pErrorCode } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import { createPeerServer, type PeerServer } from './PeerServer.ts'
import * as Timers from './Timers.ts'
import { aim, closers, connected, listen, REQUEST, type Rig, start } from './testing/network.ts'
import {
  CHAIN,
  cheapIdentity,
  type HandshakeInit,
  handshake,
  listenRaw,
  NETWORK_ID,
  type Raw,
  SECOND,
  settle,
  welcome,
} from './testing/raw.ts'

describe('the handshake', () => {
  test("waits for the node's Handshake, then sends the Handshake and PeerList that a node expects", async () => {
    const rig = start()
    const server = await listen()
    aim(rig, { nodeId: server.identity.nodeId, address: server.address })
    const raw = await server.next()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(raw.received).toEqual([])
    raw.send({ case: 'handshake', value: handshake(raw.identity, rig.now()) })
    const own = await raw.next('handshake')
    expect(own).toMatchObject({
      networkId: NETWORK_ID,
      myTime: rig.now(),
      ipPort: 1,
      allSubnets: true,
      trackedSubnets: [],
    })
    expect(own.client).toMatchObject({ name: 'avalanchego', major: 1, minor: 15 })
    expect(own.ipAddr).toEqual(new Uint8Array(4))
    expect((await raw.next('peerList')).claimedIpPorts).toEqual([])
    expect(rig.network.connection(raw.identity.nodeId).state).toBe('connecting')
  })
  const refusals: readonly [
    string,
    (init: HandshakeInit & object) => Partial<HandshakeInit & object>,
    P2pErrorCode,
  ][] = [
    ['another network', () => ({ networkId: 1 }), 'P2P_NETWORK_ID'],
    ['a wrong clock', () => ({ myTime: 0n }), 'P2P_CLOCK'],
    ['an old version', () => ({ client: { major: 1, minor: 13 } }), 'P2P_VERSION'],
    ['a bad signature', () => ({ ipNodeIdSig: CHAIN }), 'P2P_IP_SIGNATURE'],
  ]
  test.each(refusals)('rejects a node with %s without sending anything', async (_, change, code) => {
    const rig = start()
    const server = await listen()
    aim(rig, { nodeId: server.identity.nodeId, address: server.address })
    const raw = await server.next()
    const init = handshake(raw.identity, rig.now())
    raw.send({ case: 'handshake', value: { ...init, ...change(init) } as HandshakeInit & object })
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual([code])
    expect(raw.received).toEqual([])
    expect(rig.network.connection(raw.identity.nodeId)).toMatchObject({
      state: 'disconnected',
      reason: expect.stringContaining(code),
    })
  })
  test('closes the connection if the handshake takes more than 15 s', async () => {
    const rig = start()
    const server = await listen()
    aim(rig, { nodeId: server.identity.nodeId, address: server.address })
    const raw = await server.next()
    await settle(raw)
    rig.timers.advance(15 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_HANDSHAKE_TIMEOUT'])
  })
  test('disconnects from a node whose NodeID is not the expected one, before the handshake', async () => {
    const rig = start()
    const server = await listen()
    const expected = cheapIdentity().nodeId
    aim(rig, { nodeId: expected, address: server.address })
    const raw = await server.next()
    await raw.closed
    await expect
      .poll(() => rig.network.connection(expected))
      .toMatchObject({
        state: 'disconnected',
        reason: expect.stringContaining('P2P_WRONG_NODE_ID'),
      })
    expect(raw.received).toEqual([])
  })
  test('reports a refused connection as the reason when no node listens', async () => {
    const rig = start()
    const server = await listenRaw()
    await server.close()
    aim(rig, { nodeId: server.identity.nodeId, address: server.address })
    await expect.poll(() => rig.network.connection(server.identity.nodeId).state).toBe('disconnected')
    expect(rig.network.connection(server.identity.nodeId)).toMatchObject({
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('a faulty node', () => {
  const rows: readonly [string, (raw: Raw, rig: Rig) => void, P2pErrorCode][] = [
    ['an unsolicited Pong', (raw) => raw.send({ case: 'pong', value: {} }), 'P2P_UNEXPECTED_PONG'],
    [
      'a Ping with uptime 101',
      (raw) => raw.send({ case: 'ping', value: { uptime: 101 } }),
      'P2P_PING_UPTIME',
    ],
    [
      'a second Handshake',
      (raw, rig) => raw.send({ case: 'handshake', value: handshake(raw.identity, rig.now()) }),
      'P2P_SECOND_HANDSHAKE',
    ],
    ['a length of 2 MiB + 1', (raw) => raw.write(Uint8Array.of(0, 0x20, 0, 1)), 'P2P_FRAME_LENGTH'],
    ['a GetPeerList without a filter', (raw) => raw.send({ case: 'getPeerList', value: {} }), 'P2P_FILTER'],
    ['silence for 30 s', (_raw, rig) => rig.timers.advance(30 * SECOND), 'P2P_IDLE'],
  ]
  test.each(rows)('closes the connection and fails its requests after %s', async (_, act, code) => {
    const rig = await connected()
    const other = await listen()
    aim(rig, { nodeId: other.identity.nodeId, address: other.address })
    const otherRaw = await other.next()
    await welcome(otherRaw, rig.now())
    const answer = rig.network.request(rig.nodeId, { ...REQUEST, deadlineMs: 60 * SECOND })
    await rig.raw.next('appRequest')
    act(rig.raw, rig)
    expect(await answer).toMatchObject({ kind: 'disconnected' })
    expect(await rig.raw.closed).toBe('end')
    expect(rig.reasons[0]).toBe(code)
    if (code !== 'P2P_IDLE')
      expect(rig.network.connection(other.identity.nodeId)).toEqual({ state: 'connected' })
  })
  test('keeps the connection open after malformed, unknown and ignored messages', async () => {
    const rig = await connected()
    rig.raw.frame(Uint8Array.of(1, 2, 3))
    rig.raw.frame(new Uint8Array(0))
    rig.raw.send({ case: 'get', value: { chainId: CHAIN } })
    await settle(rig.raw)
    expect(rig.network.counters).toMatchObject({
      malformedMessages: 1,
      unknownMessages: 1,
      ignoredMessages: 1,
    })
    expect(rig.reasons).toEqual([])
  })
})

describe('keep-alive', () => {
  test('sends a single Pong for several Pings that arrive together', async () => {
    const { raw } = await connected()
    const ping = Frame.encode(Message.encode({ case: 'ping', value: {} }))
    raw.write(Buffer.concat([ping, ping]))
    await raw.next('pong')
    await settle(raw)
    await settle(raw)
    expect(raw.received.filter((message) => message.case === 'pong')).toEqual([])
  })
  test('keeps at most one Ping outstanding and measures the round-trip time', async () => {
    const rig = await connected()
    rig.timers.advance(22.5 * SECOND)
    await rig.raw.next('ping')
    rig.timers.advance(5 * SECOND)
    await settle(rig.raw)
    rig.timers.advance(17.5 * SECOND)
    await settle(rig.raw)
    expect(rig.raw.received.filter((message) => message.case === 'ping')).toEqual([])
    rig.raw.send({ case: 'pong', value: {} })
    await settle(rig.raw)
    expect(rig.network.peer(rig.nodeId)?.roundTripMs).toBe(22.5 * SECOND)
    rig.timers.advance(22.5 * SECOND)
    await rig.raw.next('ping')
  })
  test('reports when a peer last sent and received a frame, and the uptime that the peer observed', async () => {
    const rig = await connected()
    const peer = rig.network.peer(rig.nodeId)
    const start = rig.timers.now()
    expect(peer).toMatchObject({ observedUptime: 0, lastSent: start, lastReceived: start })
    rig.timers.advance(22.5 * SECOND)
    await rig.raw.next('ping')
    expect(peer).toMatchObject({ lastSent: start + 22.5 * SECOND, lastReceived: start })
    rig.timers.advance(1 * SECOND)
    rig.raw.send({ case: 'ping', value: { uptime: 87 } })
    await rig.raw.next('pong')
    const heard = start + 23.5 * SECOND
    expect(peer).toMatchObject({ observedUptime: 87, lastSent: heard, lastReceived: heard })
  })
})

test('reconnects after a connection is lost', async () => {
  const rig = await connected()
  rig.raw.socket.destroy()
  await expect.poll(() => rig.network.connection(rig.nodeId).state).toBe('disconnected')
  const again = rig.network.connected(rig.nodeId)
  rig.timers.advance(2 * SECOND)
  await welcome(await rig.server.next(), rig.now())
  expect((await again).state).toBe('ready')
  expect(rig.reasons).toHaveLength(1)
})

test('rejects with P2P_ABORTED when the signal aborts while waiting for a connection', async () => {
  const { network } = start()
  const stop = new AbortController()
  const wait = network.connected(cheapIdentity().nodeId, stop.signal)
  stop.abort()
  await expect(wait).rejects.toMatchObject({ code: 'P2P_ABORTED' })
})

test('removes its abort listener after waiting for a connection', async () => {
  const rig = await connected()
  const { signal } = new AbortController()
  rig.raw.socket.destroy()
  await expect.poll(() => rig.network.connection(rig.nodeId).state).toBe('disconnected')
  const again = rig.network.connected(rig.nodeId, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  rig.timers.advance(2 * SECOND)
  await welcome(await rig.server.next(), rig.now())
  await again
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('settles pending requests and closes connections cleanly when the network is closed', async () => {
  const rig = await connected()
  const answer = rig.network.request(rig.nodeId, REQUEST)
  await rig.network.close()
  expect((await answer).kind).toBe('disconnected')
  expect(await rig.raw.closed).toBe('end')
  expect(rig.reasons).toEqual(['P2P_SHUTDOWN'])
  expect(await rig.network.request(rig.nodeId, { ...REQUEST, bytes: CHAIN })).toMatchObject<AppAnswer>({
    kind: 'disconnected',
    reason: expect.any(String),
  })
})

describe('discovery', () => {
  const nodes = async (count: number): Promise<readonly PeerServer[]> => {
    const book = createClaimBook({
      isTracked: () => true,
      now: () => BigInt(Math.floor(Date.now() / SECOND)),
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    })
    const servers = await Promise.all(
      Array.from({ length: count }, () =>
        createPeerServer({
          networkId: NETWORK_ID,
          identity: cheapIdentity(),
          peersFor: (peer, query) => book.select(query, peer.nodeId),
          onAppRequest: (_peer, request, reply) => reply.response(request.bytes),
        }),
      ),
    )
    for (const server of servers) {
      book.add(server.claim)
      closers.push(() => server.close())
    }
    return servers
  }
  const live = (options: Partial<NetworkOptions> = {}): Network => {
    const network = createNetwork({ networkId: NETWORK_ID, identity: cheapIdentity(), ...options })
    closers.push(() => network.close())
    return network
  }
  test('discovers and connects to 40 tracked nodes from a single endpoint', async () => {
    const servers = await nodes(40)
    const network = live()
    const first = servers[0] as PeerServer
    network.track(servers.map(({ nodeId }) => nodeId))
    network.addEndpoint(first.nodeId, first.address)
    const all = await Promise.all(servers.map(({ nodeId }) => network.connected(nodeId)))
    expect(new Set(all).size).toBe(40)
    const answers = await Promise.all(servers.map(({ nodeId }) => network.request(nodeId, REQUEST)))
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['response']))
  })
  test('connects to a node that is tracked, or tracked again, after its claim has already arrived', async () => {
    const servers = await nodes(3)
    const [first, second] = servers as [PeerServer, PeerServer]
    const network = live()
    const missing = cheapIdentity().nodeId
    network.addEndpoint(first.nodeId, first.address)
    network.track([first.nodeId, missing])
    await network.connected(first.nodeId)
    await expect.poll(() => network.counters.framesRead).toBeGreaterThanOrEqual(2)
    network.track([second.nodeId])
    await network.connected(second.nodeId)
    network.untrack([second.nodeId])
    expect(network.connection(second.nodeId)).toEqual({ state: 'unknown', reason: 'not tracked' })
    await expect.poll(() => second.peers()).toEqual([])
    network.track([second.nodeId])
    await network.connected(second.nodeId)
  })
  test('connects to a node at its new address at once, although attempts at the old one are delayed', async () => {
    const book = createClaimBook({
      isTracked: () => true,
      now: () => BigInt(Math.floor(Date.now() / SECOND)),
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    })
    const serve = async (identity: Identity.Identity, delayMs = 0) => {
      const timers = { ...Timers.SYSTEM, now: () => Date.now() + delayMs }
      const peersFor = (peer: Peer, query: PeersQuery) => book.select(query, peer.nodeId)
      const server = await createPeerServer({ networkId: NETWORK_ID, identity, timers, peersFor })
      closers.push(() => server.close())
      book.add(server.claim)
      return server
    }
    const moving = cheapIdentity()
    const [first, before] = [await serve(cheapIdentity()), await serve(moving)]
    const network = live({ backoff: { initialMs: 60 * SECOND, maximumMs: 60 * SECOND } })
    network.addEndpoint(first.nodeId, first.address)
    network.track([first.nodeId, moving.nodeId])
    await network.connected(moving.nodeId)
    // The claim of the new address must be newer than the claim of the old one, in seconds.
    const after = await serve(moving, 2 * SECOND)
    await before.close()
    await expect.poll(() => after.peers()).toHaveLength(1)
  })
  test('ignores private addresses from other nodes when private addresses are not allowed', async () => {
    const servers = await nodes(2)
    const [first, second] = servers as [PeerServer, PeerServer]
    const network = live({ allowPrivateIps: false })
    network.track([first.nodeId, second.nodeId])
    network.addEndpoint(first.nodeId, first.address)
    await network.connected(first.nodeId)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(network.connection(second.nodeId)).toEqual({ state: 'unknown', reason: 'no address is known' })
  })
  test('dials only tracked nodes, and disconnects a peer that sends an invalid claim', async () => {
    const rig = await connected()
    const liar = cheapIdentity()
    rig.network.track([liar.nodeId])
    const stranger = ClaimedIpPort.create(cheapIdentity(), { host: '127.0.0.1', port: 1 }, rig.now())
    rig.raw.send({ case: 'peerList', value: { claimedIpPorts: [stranger] } })
    await settle(rig.raw)
    expect(rig.reasons).toEqual([])
    const lie = { ...ClaimedIpPort.create(liar, { host: '127.0.0.1', port: 1 }, rig.now()), ipPort: 2 }
    rig.raw.send({ case: 'peerList', value: { claimedIpPorts: [lie] } })
    await rig.raw.closed
    expect(rig.reasons).toEqual(['P2P_IP_SIGNATURE'])
    expect(rig.network.connection(liar.nodeId)).toEqual({ state: 'unknown', reason: 'no address is known' })
  })
  test('requests addresses as soon as a connection is lost', async () => {
    const rig = await connected()
    const other = await listen()
    aim(rig, { nodeId: other.identity.nodeId, address: other.address })
    const lost = await other.next()
    await welcome(lost, rig.now())
    await rig.network.connected(other.identity.nodeId)
    rig.timers.advance(60)
    await settle(rig.raw)
    rig.raw.received.length = 0
    lost.socket.destroy()
    await expect.poll(() => rig.network.connection(other.identity.nodeId).state).toBe('disconnected')
    rig.timers.advance(20)
    await rig.raw.next('getPeerList')
  })
  test('requests addresses less and less often while no new addresses arrive', async () => {
    const rig = await connected()
    rig.network.track([cheapIdentity().nodeId])
    const asked: number[] = []
    let elapsed = 0
    for (let step = 0; step < 200; step++) {
      rig.timers.advance(100)
      elapsed += 100
      if (step % 20 === 0) await settle(rig.raw)
      const questions = rig.raw.received.splice(0).filter((message) => message.case === 'getPeerList')
      for (const _ of questions) asked.push(elapsed)
    }
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(5)
  })
})
