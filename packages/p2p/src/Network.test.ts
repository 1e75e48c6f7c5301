import { afterEach, describe, expect, test } from 'vitest'
import type { AppAnswer } from './AppRequests.ts'
import { createClaimBook } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import * as Frame from './Frame.ts'
import * as Message from './Message.ts'
import { createNetwork, type Network, type NetworkOptions } from './Network.ts'
import type { P2pErrorCode } from './P2pError.ts'
import { createPeerServer, type PeerServer } from './PeerServer.ts'
import {
  cheapIdentity,
  type HandshakeInit,
  handshake,
  listenRaw,
  NETWORK_ID,
  type Raw,
  type RawServer,
  welcome,
} from './raw.test-util.ts'
import { createManualTimers, type ManualTimers } from './Timers.ts'

const CHAIN = new Uint8Array(32).fill(3)
const REQUEST = { chainId: CHAIN, bytes: Uint8Array.of(2, 9, 9), deadlineMs: 5_000 }
const SECOND = 1_000

interface Rig {
  readonly network: Network
  readonly timers: ManualTimers
  readonly now: () => bigint
  readonly reasons: P2pErrorCode[]
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

function start(options: Partial<NetworkOptions> = {}): Rig {
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

async function listen(): Promise<RawServer> {
  const server = await listenRaw()
  closers.push(server.close)
  return server
}

function aim(
  { network }: Rig,
  server: { readonly nodeId: Uint8Array; readonly address: { host: string; port: number } },
): void {
  network.addEndpoint(server.nodeId, server.address)
  network.track([server.nodeId])
}

/** A network connected to one raw server. */
async function connected(
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

/** Everything the far end sent before now has been acted on. */
async function settle(raw: Raw): Promise<void> {
  raw.send({ case: 'ping', value: {} })
  await raw.next('pong')
}

describe('the handshake', () => {
  test("waits for the node's own, and says what a node wants to hear", async () => {
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
  test.each(refusals)('refuses a node of %s and says nothing to it', async (_, change, code) => {
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
  test('takes 15 s at the most', async () => {
    const rig = start()
    const server = await listen()
    aim(rig, { nodeId: server.identity.nodeId, address: server.address })
    const raw = await server.next()
    await settle(raw)
    rig.timers.advance(15 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_HANDSHAKE_TIMEOUT'])
  })
  test('is not begun with a node of another NodeID', async () => {
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
  test('is not begun where nobody listens', async () => {
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

describe('a hostile node', () => {
  const rows: readonly [string, (raw: Raw, rig: Rig) => void, P2pErrorCode][] = [
    ['a Pong nobody asked for', (raw) => raw.send({ case: 'pong', value: {} }), 'P2P_UNEXPECTED_PONG'],
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
  test.each(rows)('%s ends its connection, with every request on it', async (_, act, code) => {
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
  test('that sends what cannot be read stays connected', async () => {
    const rig = await connected()
    rig.raw.frame(Uint8Array.of(1, 2, 3))
    rig.raw.frame(new Uint8Array(0))
    rig.raw.send({ case: 'chits', value: { chainId: CHAIN } })
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
  test('Pings that wait together get one Pong, Pings apart get one each', async () => {
    const { raw } = await connected()
    const ping = Frame.encode(Message.encode({ case: 'ping', value: {} }))
    raw.write(Buffer.concat([ping, ping]))
    await raw.next('pong')
    await settle(raw)
    await settle(raw)
    expect(raw.received.filter((message) => message.case === 'pong')).toEqual([])
  })
  test('one own Ping is out at a time, and its answer is timed', async () => {
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
})

describe('requests', () => {
  test('carry an odd id, the deadline, the bytes; each outcome is an answer', async () => {
    const { network, raw, nodeId } = await connected()
    const first = network.request(nodeId, REQUEST)
    const seen = await raw.next('appRequest')
    expect(seen).toMatchObject({ chainId: CHAIN, deadline: 5_000_000_000n, appBytes: REQUEST.bytes })
    expect(seen.requestId % 2).toBe(1)
    raw.send(
      { case: 'appResponse', value: { chainId: CHAIN, requestId: seen.requestId, appBytes: CHAIN } },
      { compress: true },
    )
    expect(await first).toEqual({ kind: 'response', bytes: CHAIN })
    const second = network.request(nodeId, { ...REQUEST, deadlineMs: 60_000 })
    const next = await raw.next('appRequest')
    expect(next).toMatchObject({ requestId: seen.requestId + 2, deadline: 10_000_000_000n })
    raw.send({
      case: 'appError',
      value: { chainId: CHAIN, requestId: next.requestId, errorCode: -2, errorMessage: 'no' },
    })
    expect(await second).toEqual({ kind: 'error', code: -2, message: 'no' })
  })
  test('time out by the own clock; a later answer is counted', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const answer = network.request(nodeId, REQUEST)
    const { requestId } = await raw.next('appRequest')
    timers.advance(4_999)
    await settle(raw)
    timers.advance(1)
    expect(await answer).toEqual({ kind: 'timeout' })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    await settle(raw)
    expect(network.counters).toMatchObject({ lateAnswers: 1, repeatedAnswers: 1, unsolicitedAnswers: 0 })
  })
  test('take exactly one answer: repeated, foreign and invented ones are counted', async () => {
    const { network, raw, nodeId } = await connected()
    const answer = network.request(nodeId, REQUEST)
    const { requestId } = await raw.next('appRequest')
    raw.send({
      case: 'appResponse',
      value: { chainId: new Uint8Array(32), requestId, appBytes: Uint8Array.of(0) },
    })
    raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: requestId + 2, appBytes: Uint8Array.of(0) },
    })
    for (let i = 1; i <= 3; i++) {
      raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId, appBytes: Uint8Array.of(i) } })
    }
    raw.send({ case: 'appError', value: { chainId: CHAIN, requestId } })
    expect(await answer).toEqual({ kind: 'response', bytes: Uint8Array.of(1) })
    await settle(raw)
    expect(network.counters).toMatchObject({ unsolicitedAnswers: 2, repeatedAnswers: 3, lateAnswers: 0 })
  })
  test('of the same bytes to many nodes are encoded once; the same node gets a fresh id', async () => {
    const rig = await connected()
    const other = await listen()
    aim(rig, { nodeId: other.identity.nodeId, address: other.address })
    const otherRaw = await other.next()
    await welcome(otherRaw, rig.now())
    await rig.network.connected(other.identity.nodeId)
    const nodeIds = [rig.nodeId, other.identity.nodeId, rig.nodeId]
    const all = nodeIds.map((nodeId) => rig.network.request(nodeId, REQUEST))
    const [first, again] = [await rig.raw.next('appRequest'), await rig.raw.next('appRequest')]
    const second = await otherRaw.next('appRequest')
    expect(second.requestId).toBe(first.requestId)
    expect(again.requestId).not.toBe(first.requestId)
    rig.raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: again.requestId, appBytes: Uint8Array.of(3) },
    })
    otherRaw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: second.requestId, appBytes: Uint8Array.of(2) },
    })
    rig.raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: first.requestId, appBytes: Uint8Array.of(1) },
    })
    const bytes = (await Promise.all(all)).map((answer) =>
      answer.kind === 'response' ? answer.bytes[0] : undefined,
    )
    expect(bytes).toEqual([1, 2, 3])
  })
  test('above 64 on one connection wait in line; a time-out lets the next one go', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const answers = Array.from({ length: 70 }, (_, i) =>
      network.request(nodeId, { ...REQUEST, deadlineMs: i === 0 ? 1_000 : 5_000 }),
    )
    await settle(raw)
    const seen = () => raw.received.filter((message) => message.case === 'appRequest').length
    expect(seen()).toBe(64)
    const { requestId } = await raw.next('appRequest')
    timers.advance(1_000)
    await settle(raw)
    expect(await answers[0]).toEqual({ kind: 'timeout' })
    expect(seen()).toBe(64)
    const second = await raw.next('appRequest')
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: second.requestId } })
    expect(await answers[1]).toMatchObject({ kind: 'response' })
    await settle(raw)
    expect(seen()).toBe(64)
    expect(second.requestId).toBeGreaterThan(requestId)
    timers.advance(4_000)
    expect(new Set((await Promise.all(answers.slice(2))).map(({ kind }) => kind))).toEqual(
      new Set(['timeout']),
    )
  })
  test('that are given up reject, in line and on their way', async () => {
    const { network, raw, nodeId } = await connected({ limits: { requestsInFlight: 1 } })
    const controller = new AbortController()
    const answers = [1, 2, 3].map(() => network.request(nodeId, REQUEST, controller.signal))
    const { requestId } = await raw.next('appRequest')
    controller.abort(new Error('enough'))
    for (const answer of answers)
      await expect(answer).rejects.toMatchObject({ code: 'P2P_ABORTED', cause: { message: 'enough' } })
    await expect(network.request(nodeId, REQUEST, controller.signal)).rejects.toMatchObject({
      code: 'P2P_ABORTED',
    })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    await settle(raw)
    expect(network.counters.lateAnswers).toBe(1)
    const after = network.request(nodeId, REQUEST)
    const { requestId: next } = await raw.next('appRequest')
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: next } })
    expect(await after).toMatchObject({ kind: 'response' })
  })
  test('to a node without a connection say why there is none', async () => {
    const { network } = start()
    const nodeId = cheapIdentity().nodeId
    expect(await network.request(nodeId, REQUEST)).toEqual({ kind: 'disconnected', reason: 'not tracked' })
    network.track([nodeId])
    expect(await network.request(nodeId, REQUEST)).toEqual({
      kind: 'disconnected',
      reason: 'no address is known',
    })
  })
  test.each([
    ['a chain id of 31 bytes', { ...REQUEST, bytes: Uint8Array.of(1), chainId: CHAIN.subarray(1) }],
    ['no deadline', { ...REQUEST, bytes: Uint8Array.of(1), deadlineMs: 0 }],
  ])('with %s are refused', async (_, request) => {
    await expect(start().network.request(CHAIN.subarray(12), request)).rejects.toMatchObject({
      code: 'P2P_ARGUMENT',
    })
  })
  test('of the node are answered with "unregistered handler"', async () => {
    const { raw } = await connected()
    raw.send({
      case: 'appRequest',
      value: { chainId: CHAIN, requestId: 4, deadline: 10n ** 9n, appBytes: CHAIN },
    })
    expect(await raw.next('appError')).toMatchObject({ requestId: 4, errorCode: -2 })
  })
})

test('a lost connection is made again', async () => {
  const rig = await connected()
  rig.raw.socket.destroy()
  await expect.poll(() => rig.network.connection(rig.nodeId).state).toBe('disconnected')
  const again = rig.network.connected(rig.nodeId)
  rig.timers.advance(2 * SECOND)
  await welcome(await rig.server.next(), rig.now())
  expect((await again).state).toBe('ready')
  expect(rig.reasons).toHaveLength(1)
})

test('a wait for a connection can be given up', async () => {
  const { network } = start()
  const wait = network.connected(cheapIdentity().nodeId, AbortSignal.timeout(5))
  await expect(wait).rejects.toMatchObject({ code: 'P2P_ABORTED' })
})

test('closing ends requests and connections in order', async () => {
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
      wants: () => true,
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
  test('finds every tracked node from one', async () => {
    const servers = await nodes(40)
    const network = live()
    const first = servers[0] as PeerServer
    network.track(servers.map(({ nodeId }) => nodeId))
    network.addEndpoint(first.nodeId, first.address)
    const all = await Promise.all(
      servers.map(({ nodeId }) => network.connected(nodeId, AbortSignal.timeout(5_000))),
    )
    expect(new Set(all).size).toBe(40)
    const answers = await Promise.all(servers.map(({ nodeId }) => network.request(nodeId, REQUEST)))
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['response']))
  })
  test('finds nodes that are wanted only after their claims went by, and ones wanted again', async () => {
    const servers = await nodes(3)
    const [first, second] = servers as [PeerServer, PeerServer]
    const network = live()
    const missing = cheapIdentity().nodeId
    network.addEndpoint(first.nodeId, first.address)
    network.track([first.nodeId, missing])
    await network.connected(first.nodeId)
    await expect.poll(() => network.counters.framesRead).toBeGreaterThanOrEqual(3)
    network.track([second.nodeId])
    await network.connected(second.nodeId, AbortSignal.timeout(3_000))
    network.untrack([second.nodeId])
    expect(network.connection(second.nodeId)).toEqual({ state: 'unknown', reason: 'not tracked' })
    await expect.poll(() => second.peers()).toEqual([])
    network.track([second.nodeId])
    await network.connected(second.nodeId, AbortSignal.timeout(3_000))
  })
  test('does not believe private addresses where it must not', async () => {
    const servers = await nodes(2)
    const [first, second] = servers as [PeerServer, PeerServer]
    const network = live({ allowPrivateIps: false })
    network.track([first.nodeId, second.nodeId])
    network.addEndpoint(first.nodeId, first.address)
    await network.connected(first.nodeId)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(network.connection(second.nodeId)).toEqual({ state: 'unknown', reason: 'no address is known' })
  })
  test('dials nobody that is not tracked, and a claim that lies ends its teller only', async () => {
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
  test('asks less and less often while answers bring nothing', async () => {
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
