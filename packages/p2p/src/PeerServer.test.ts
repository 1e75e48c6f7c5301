import { generateKeyPairSync } from 'node:crypto'
import type { ConnectionOptions } from 'node:tls'
import { Hex } from '@firn/codec'
import { afterEach, describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import { createClaimBook } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import { certificatePem } from './certificates.test-util.ts'
import * as Frame from './Frame.ts'
import * as Message from './Message.ts'
import type { P2pErrorCode } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import { createPeerServer, type PeerServer, type PeerServerOptions } from './PeerServer.ts'
import {
  becomeReady,
  bls,
  blsPublicKey,
  cheapIdentity,
  connectRaw,
  handshake,
  NETWORK_ID,
  type Raw,
  tcpUntilClosed,
} from './raw.test-util.ts'
import { createManualTimers, type ManualTimers } from './Timers.ts'

const CHAIN = new Uint8Array(32).fill(3)
const SECOND = 1_000

interface Rig {
  readonly server: PeerServer
  readonly timers: ManualTimers
  readonly now: () => bigint
  /** Reasons by which connections ended or were refused, in order. */
  readonly reasons: P2pErrorCode[]
  readonly peers: Peer[]
}

const rigs: Rig[] = []
afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ server }) => server.close()))
})

async function start(options: Partial<PeerServerOptions> = {}): Promise<Rig> {
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

async function ready(rig: Rig): Promise<Raw> {
  const raw = await connectRaw(rig.server.address)
  await becomeReady(raw, rig.now())
  return raw
}

let nextId = 1
async function answers(raw: Raw): Promise<boolean> {
  const requestId = nextId++
  raw.send({
    case: 'appRequest',
    value: { chainId: CHAIN, requestId, deadline: 10_000_000_000n, appBytes: CHAIN },
  })
  const response = await raw.next('appResponse')
  return response.requestId === requestId && Buffer.compare(response.appBytes, CHAIN) === 0
}

/** A round trip: what was sent before has been acted on. */
async function settle(raw: Raw): Promise<void> {
  raw.send({ case: 'ping', value: {} })
  await raw.next('pong')
}

const body = (hex: string): Uint8Array => Hex.decode(`0x${hex}`)
const claimIdentity = cheapIdentity()
const claimOf = (rig: Rig, change: Partial<ClaimedIpPort.ClaimedIpPort> = {}, age = 0n) => {
  const claim = ClaimedIpPort.create(claimIdentity, { host: '1.2.3.4', port: 9_651 }, rig.now() - age)
  return { claimedIpPorts: [{ ...claim, ...change }] }
}

interface Row {
  readonly name: string
  readonly act: (raw: Raw, rig: Rig) => void | Promise<void>
  /** Absent: the connection stays and requests are answered. */
  readonly code?: P2pErrorCode
  /** Whether the server wants to connect to the claims' NodeID. */
  readonly wants?: boolean
}

const ask = (knownPeers?: { filter: Uint8Array; salt?: Uint8Array }) => ({
  act: (raw: Raw) => raw.send({ case: 'getPeerList', value: knownPeers === undefined ? {} : { knownPeers } }),
})
const list = (change: (rig: Rig) => Message.BodyInit['value'] & object) => ({
  act: (raw: Raw, rig: Rig) => raw.send({ case: 'peerList', value: change(rig) } as Message.BodyInit),
})
const frame = (bytes: Uint8Array) => ({ act: (raw: Raw) => raw.frame(bytes) })

const rows: readonly Row[] = [
  {
    name: 'a Pong nobody asked for',
    act: (raw) => raw.send({ case: 'pong', value: {} }),
    code: 'P2P_UNEXPECTED_PONG',
  },
  {
    name: 'one Pong for one Ping',
    act: async (raw, rig) => {
      rig.timers.advance(22.5 * SECOND)
      await raw.next('ping')
      raw.send({ case: 'pong', value: {} })
    },
  },
  {
    name: 'two Pongs for one Ping',
    act: async (raw, rig) => {
      rig.timers.advance(22.5 * SECOND)
      await raw.next('ping')
      raw.send({ case: 'pong', value: {} })
      raw.send({ case: 'pong', value: {} })
    },
    code: 'P2P_UNEXPECTED_PONG',
  },
  { name: 'a Ping with uptime 100', act: (raw) => raw.send({ case: 'ping', value: { uptime: 100 } }) },
  {
    name: 'a Ping with uptime 101',
    act: (raw) => raw.send({ case: 'ping', value: { uptime: 101 } }),
    code: 'P2P_PING_UPTIME',
  },
  {
    name: 'ten Pings in a row',
    act: async (raw) => {
      for (let i = 0; i < 10; i++) raw.send({ case: 'ping', value: {} })
      for (let i = 0; i < 10; i++) await raw.next('pong')
    },
  },
  {
    name: 'a second Handshake',
    act: (raw, rig) => raw.send({ case: 'handshake', value: handshake(raw.identity, rig.now()) }),
    code: 'P2P_SECOND_HANDSHAKE',
  },
  { name: 'a length of 2 MiB + 1', act: (raw) => raw.write(body('00200001')), code: 'P2P_FRAME_LENGTH' },
  { name: 'a length of 4 GiB', act: (raw) => raw.write(body('ffffffff')), code: 'P2P_FRAME_LENGTH' },
  { name: 'garbage of 5 bytes', ...frame(body('ffffffffff')) },
  {
    name: 'garbage of 2 MiB',
    act: async (raw, rig) => {
      raw.frame(new Uint8Array(Frame.MAX_LENGTH).fill(0xff))
      // It uses up the whole burst of the byte rate.
      await expect.poll(() => rig.server.counters.throttledReads).toBe(1)
      rig.timers.advance(SECOND)
    },
  },
  { name: 'an empty frame', ...frame(new Uint8Array(0)) },
  { name: 'unknown field 99', ...frame(body('9a0600')) },
  { name: 'reserved fields 33 and 37', ...frame(body('8a0200aa0200')) },
  { name: 'zstd garbage', ...frame(body('12050102030405')) },
  { name: 'an empty compressed field', ...frame(body('1200')) },
  {
    name: 'compressed inside compressed',
    ...frame(body('121828b52ffd200f790000120d28b52ffd20042100005a02084d')),
  },
  { name: 'a compressed Ping', ...frame(body('120d28b52ffd20042100005a02084d')) },
  { name: '3 MiB when decompressed', ...frame(body('120e28b52ffda000003000020000000b00')) },
  {
    name: 'an AppRequest with a chain id of 31 bytes',
    act: (raw) =>
      raw.send({
        case: 'appRequest',
        value: { chainId: CHAIN.subarray(1), requestId: 1, deadline: 10n ** 10n },
      }),
  },
  {
    name: 'an AppResponse nobody asked for',
    act: (raw) => raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: 1 } }),
  },
  {
    name: 'an AppError nobody asked for',
    act: (raw) => raw.send({ case: 'appError', value: { chainId: CHAIN, requestId: 1 } }),
  },
  { name: 'garbage gossip', act: (raw) => raw.send({ case: 'appGossip', value: { appBytes: CHAIN } }) },
  { name: 'garbage Chits', act: (raw) => raw.send({ case: 'chits', value: { chainId: CHAIN.subarray(5) } }) },
  {
    name: 'empty PeerLists again and again',
    act: (raw) => {
      for (let i = 0; i < 20; i++) raw.send({ case: 'peerList', value: {} })
    },
  },
  { name: 'a GetPeerList without a filter', ...ask(), code: 'P2P_FILTER' },
  { name: 'a GetPeerList with an empty filter', ...ask({ filter: new Uint8Array(0) }), code: 'P2P_FILTER' },
  {
    name: 'a GetPeerList with a short filter',
    ...ask({ filter: BloomFilter.EMPTY.subarray(1) }),
    code: 'P2P_FILTER',
  },
  {
    name: 'a GetPeerList with a salt of 33 bytes',
    ...ask({ filter: BloomFilter.EMPTY, salt: new Uint8Array(33) }),
    code: 'P2P_SALT',
  },
  { name: 'a GetPeerList', ...ask({ filter: BloomFilter.EMPTY, salt: new Uint8Array(32) }) },
  {
    name: 'a claim whose certificate is garbage',
    ...list((rig) => claimOf(rig, { x509Certificate: CHAIN })),
    code: 'P2P_CLAIM_CERTIFICATE',
  },
  {
    name: 'a claim of 5 address bytes',
    ...list((rig) => claimOf(rig, { ipAddr: CHAIN.subarray(0, 5) })),
    code: 'P2P_IP',
  },
  { name: 'a claim of port 0', ...list((rig) => claimOf(rig, { ipPort: 0 })), code: 'P2P_PORT' },
  { name: 'a claim of port 65536', ...list((rig) => claimOf(rig, { ipPort: 65_536 })), code: 'P2P_PORT' },
  { name: 'a good claim of a wanted node', ...list((rig) => claimOf(rig)), wants: true },
  {
    name: 'a wanted claim, another port',
    ...list((rig) => claimOf(rig, { ipPort: 1 })),
    wants: true,
    code: 'P2P_IP_SIGNATURE',
  },
  { name: 'a wanted claim, 60 s ahead', ...list((rig) => claimOf(rig, {}, -60n)), wants: true },
  {
    name: 'a wanted claim, 61 s ahead',
    ...list((rig) => claimOf(rig, {}, -61n)),
    wants: true,
    code: 'P2P_IP_TIMESTAMP',
  },
  { name: 'an unwanted claim, badly signed', ...list((rig) => claimOf(rig, { signature: CHAIN })) },
  {
    name: 'an old wanted claim, badly signed',
    act: (raw, rig) => {
      raw.send({ case: 'peerList', value: claimOf(rig) })
      raw.send({ case: 'peerList', value: claimOf(rig, { signature: CHAIN }, 1n) })
    },
    wants: true,
  },
]

describe('on a ready connection', () => {
  const withBook = async (row: Row): Promise<Rig> => {
    const clock: { rig?: Rig } = {}
    const book = createClaimBook({
      wants: () => row.wants === true,
      now: () => clock.rig?.now() ?? 0n,
      random: (length) => new Uint8Array(length),
    })
    clock.rig = await start({ onClaims: (_peer, claims) => void book.consider(claims) })
    return clock.rig
  }
  test.each(rows.filter(({ code }) => code !== undefined))('$name ends it: $code', async (row) => {
    const rig = await withBook(row)
    const [raw, bystander] = await Promise.all([ready(rig), ready(rig)])
    await row.act(raw, rig)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual([row.code])
    expect(await answers(bystander)).toBe(true)
  })
  test.each(rows.filter(({ code }) => code === undefined))('$name does not end it', async (row) => {
    const rig = await withBook(row)
    const raw = await ready(rig)
    await row.act(raw, rig)
    expect(await answers(raw)).toBe(true)
    expect(rig.reasons).toEqual([])
  })
})

describe('before it is ready', () => {
  test('a PeerList before the Handshake is lost; one after it makes up for it', async () => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address)
    raw.send({ case: 'peerList', value: {} })
    raw.send({ case: 'handshake', value: handshake(raw.identity, rig.now()) })
    await raw.next('peerList')
    raw.send({ case: 'appRequest', value: { chainId: CHAIN, requestId: 9, deadline: 10n ** 10n } })
    await settle(raw)
    expect(rig.server.counters.earlyMessages).toBe(2)
    expect(raw.received.map((message) => message.case)).toEqual(['handshake'])
    raw.send({ case: 'peerList', value: {} })
    expect(await answers(raw)).toBe(true)
  })
  test('a bad GetPeerList is ignored', async () => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address)
    raw.send({ case: 'getPeerList', value: {} })
    await settle(raw)
    await becomeReady(raw, rig.now())
    expect(await answers(raw)).toBe(true)
  })
  test('Handshake, PeerList and request written together are honoured in order', async () => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address)
    const init = handshake(raw.identity, rig.now())
    const request = { chainId: CHAIN, requestId: 1, deadline: 10n ** 10n, appBytes: CHAIN }
    const bodies: Message.BodyInit[] = [
      { case: 'handshake', value: init },
      { case: 'peerList', value: {} },
      { case: 'appRequest', value: request },
    ]
    raw.write(Buffer.concat(bodies.map((message) => Frame.encode(Message.encode(message)))))
    expect((await raw.next('appResponse')).requestId).toBe(1)
  })
  test('a client that only answers Pings is kept beyond 30 s', async () => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address)
    await settle(raw)
    for (let tick = 0; tick < 4; tick++) {
      rig.timers.advance(22.5 * SECOND)
      await raw.next('ping')
      raw.send({ case: 'pong', value: {} })
      await settle(raw)
    }
    await becomeReady(raw, rig.now())
    expect(await answers(raw)).toBe(true)
  })
})

describe('silence', () => {
  test('ends a connection 30 s after the last frame, having sent one Ping', async () => {
    const rig = await start()
    const raw = await ready(rig)
    rig.timers.advance(29.9 * SECOND)
    expect(rig.reasons).toEqual([])
    rig.timers.advance(0.2 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_IDLE'])
    expect(raw.received.filter((message) => message.case === 'ping')).toHaveLength(1)
  })
  test('is broken by an empty frame, and by a length alone, not by the bytes of a body', async () => {
    const rig = await start()
    const raw = await ready(rig)
    rig.timers.advance(29 * SECOND)
    raw.frame(new Uint8Array(0))
    await settle(raw)
    rig.timers.advance(29 * SECOND)
    raw.write(body('00000010'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    rig.timers.advance(29 * SECOND)
    expect(rig.reasons).toEqual([])
    raw.write(body('00'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    rig.timers.advance(1.1 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_IDLE'])
  })
})

describe('at a ping tick', () => {
  const compatibility = (upgradeTime: bigint) => {
    const minimum = (minor: number) => ({ name: '', major: 1, minor, patch: 0 })
    return { upgradeTime, before: minimum(14), after: minimum(16) }
  }
  test('an upgrade ends connections of versions it leaves behind', async () => {
    const start0 = BigInt(createManualTimers().now() / SECOND)
    const rig = await start({ compatibility: compatibility(start0 + 30n) })
    const raw = await ready(rig)
    rig.timers.advance(22.5 * SECOND)
    await raw.next('ping')
    raw.send({ case: 'pong', value: {} })
    await settle(raw)
    rig.timers.advance(22.5 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_VERSION'])
  })
  test('a validator whose newly registered key did not sign its address is let go', async () => {
    const registered = { key: null as Uint8Array | null }
    const rig = await start({ bls, validatorKey: () => registered.key })
    const raw = await ready(rig)
    rig.timers.advance(22.5 * SECOND)
    await raw.next('ping')
    raw.send({ case: 'pong', value: {} })
    await settle(raw)
    registered.key = blsPublicKey
    rig.timers.advance(22.5 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_BLS_SIGNATURE'])
  })
})

describe('requests', () => {
  test.each([
    ['0', 0n, 0],
    ['1 ms', 1_000_000n, 1],
    ['2^63 - 1', 2n ** 63n - 1n, 1],
    ['2^63', 2n ** 63n, 0],
  ])('with a deadline of %s', async (_, deadline, answersExpected) => {
    const rig = await start()
    const raw = await ready(rig)
    raw.send({ case: 'appRequest', value: { chainId: CHAIN, requestId: 77, deadline, appBytes: CHAIN } })
    await settle(raw)
    expect(raw.received.filter((message) => message.case === 'appResponse')).toHaveLength(answersExpected)
    expect(rig.server.counters.expiredRequests).toBe(1 - answersExpected)
  })
  test('are answered with what the handler says, once, compressed as nodes do', async () => {
    const rig = await start({
      onAppRequest: (_peer, request, reply) => {
        if (request.bytes.length === 0) reply.error(-3, 'not a validator')
        else reply.response(Uint8Array.of(1))
        reply.response(Uint8Array.of(2))
        reply.error(1, 'again')
      },
    })
    const raw = await ready(rig)
    raw.send({
      case: 'appRequest',
      value: { chainId: CHAIN, requestId: 4_294_967_295, deadline: 1n ** 9n, appBytes: CHAIN },
    })
    expect(await raw.next('appResponse')).toMatchObject({
      chainId: CHAIN,
      requestId: 4_294_967_295,
      appBytes: Uint8Array.of(1),
    })
    raw.send({ case: 'appRequest', value: { chainId: CHAIN, requestId: 5, deadline: 1n ** 9n } })
    expect(await raw.next('appError')).toMatchObject({
      requestId: 5,
      errorCode: -3,
      errorMessage: 'not a validator',
    })
    await settle(raw)
    expect(raw.received.filter(({ case: kind }) => kind.startsWith('app'))).toEqual([])
    expect(rig.server.counters.repeatedReplies).toBe(4)
  })
  test('hold back reading while too many are in work, until they are answered or expire', async () => {
    const replies: (() => void)[] = []
    const rig = await start({
      limits: { requestsInWork: 2 },
      onAppRequest: (_peer, request, reply) => void replies.push(() => reply.response(request.bytes)),
    })
    const raw = await ready(rig)
    const send = (requestId: number) => {
      raw.send({
        case: 'appRequest',
        value: { chainId: CHAIN, requestId, deadline: 10n ** 10n, appBytes: CHAIN },
      })
    }
    const seen = async (count: number) => expect.poll(() => replies.length).toBe(count)
    send(1)
    send(3)
    await seen(2)
    send(5)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(replies).toHaveLength(2)
    replies[0]?.()
    await seen(3)
    send(7)
    rig.timers.advance(10 * SECOND)
    await seen(4)
  })
})

describe('bounds', () => {
  test('a peer that sends faster than its rate is read slower, nothing is lost', async () => {
    const rig = await start({ limits: { inboundBytesPerSecond: 1_000, inboundBurstBytes: 10_000 } })
    const raw = await ready(rig)
    raw.frame(new Uint8Array(20_000))
    await expect.poll(() => rig.server.counters.throttledReads).toBe(1)
    const answer = answers(raw)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(raw.received).toEqual([])
    rig.timers.advance(11 * SECOND)
    expect(await answer).toBe(true)
  })
  test('what decompresses to much counts for much', async () => {
    const rig = await start({ limits: { inboundBytesPerSecond: 1_000, inboundBurstBytes: 10_000 } })
    const raw = await ready(rig)
    raw.send({ case: 'appGossip', value: { appBytes: new Uint8Array(1_000_000) } }, { compress: true })
    await expect.poll(() => rig.server.counters.throttledReads).toBe(1)
  })
  test('a peer that does not read loses messages, then its connection', async () => {
    const rig = await start({ limits: { writeBlockedMs: 1_000, outboundBytes: 1_000_000 } })
    const raw = await ready(rig)
    raw.socket.pause()
    const peer = rig.peers[0] as Peer
    const big = {
      case: 'appGossip',
      value: { chainId: CHAIN, appBytes: new Uint8Array(400_000).fill(1) },
    } as const
    for (let i = 0; i < 100 && rig.server.counters.droppedMessages === 0; i++) {
      peer.send(big, { compress: false })
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(rig.server.counters.droppedMessages).toBe(1)
    expect(peer.send(big, { compress: false })).toBe(false)
    rig.timers.advance(900)
    expect(rig.reasons).toEqual([])
    rig.timers.advance(200)
    expect(rig.reasons).toEqual(['P2P_WRITE_BLOCKED'])
    rig.timers.advance(1_000)
    raw.socket.resume()
    await raw.closed
  })
})

describe('gossip', () => {
  test('answers with up to 15 claims that the peer does not know, and with silence when there are none', async () => {
    const clock: { rig?: Rig } = {}
    const book = createClaimBook({
      wants: () => true,
      now: () => clock.rig?.now() ?? 0n,
      random: (n) => new Uint8Array(n).fill(n),
    })
    const rig = await start({ peersFor: (peer, query) => book.select(query, peer.nodeId) })
    clock.rig = rig
    const identities = Array.from({ length: 20 }, cheapIdentity)
    for (const identity of identities) {
      book.add(ClaimedIpPort.create(identity, { host: '1.2.3.4', port: 9_651 }, rig.now()))
    }
    const raw = await ready(rig)
    const size = BloomFilter.optimalSize(128, 0.001)
    const filter = BloomFilter.create(size, (n) => new Uint8Array(n).fill(3))
    const salt = new Uint8Array(32)
    const askAgain = () => {
      raw.send({
        case: 'getPeerList',
        value: { knownPeers: { filter: BloomFilter.encode(filter), salt }, allSubnets: true },
      })
    }
    const learned = new Set<string>()
    for (const expected of [15, 5]) {
      askAgain()
      const { claimedIpPorts } = await raw.next('peerList')
      expect(claimedIpPorts).toHaveLength(expected)
      for (const claim of claimedIpPorts) {
        ClaimedIpPort.verify(claim, rig.now())
        const nodeId = ClaimedIpPort.nodeId(claim)
        learned.add(Hex.encode(nodeId))
        BloomFilter.add(filter, ClaimedIpPort.gossipId(nodeId, claim.timestamp), salt)
      }
    }
    expect(learned.size).toBe(20)
    askAgain()
    await settle(raw)
    expect(raw.received.filter((message) => message.case === 'peerList')).toEqual([])
  })
})

describe('admission', () => {
  const pem = (
    type: 'ec' | 'rsa' | 'ed25519',
    options: object = {},
    issuerLetters = 0,
  ): ConnectionOptions => {
    const generate = generateKeyPairSync as (
      type: string,
      options: object,
    ) => ReturnType<typeof generateKeyPairSync>
    const { publicKey, privateKey } = generate(type, options)
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    return { cert: certificatePem(publicKey, privateKey, issuerLetters), key }
  }
  test.each([
    ['P-256', () => pem('ec', { namedCurve: 'P-256' }), undefined],
    ['RSA-2048', () => pem('rsa', { modulusLength: 2_048 }), undefined],
    [
      'RSA-2048 with exponent 3',
      () => pem('rsa', { modulusLength: 2_048, publicExponent: 3 }),
      'P2P_CERTIFICATE',
    ],
    ['P-384', () => pem('ec', { namedCurve: 'P-384' }), 'P2P_CERTIFICATE'],
    ['Ed25519', () => pem('ed25519'), 'P2P_CERTIFICATE'],
    ['more than 2,048 bytes', () => pem('ec', { namedCurve: 'P-256' }, 1_900), 'P2P_CERTIFICATE'],
    ['no certificate', () => ({}), 'P2P_NO_CERTIFICATE'],
  ])('of a certificate: %s', async (_, make, code) => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address, cheapIdentity(), { minVersion: 'TLSv1.3', ...make() })
    if (code === undefined) {
      expect((await raw.next('handshake')).networkId).toBe(NETWORK_ID)
      return
    }
    await raw.closed
    expect(rig.reasons).toEqual([code])
    expect(raw.received).toEqual([])
  })
  test('TLS 1.2 is refused', async () => {
    const rig = await start()
    await expect(connectRaw(rig.server.address, cheapIdentity(), { maxVersion: 'TLSv1.2' })).rejects.toThrow()
    expect(rig.reasons).toEqual(['P2P_TLS'])
  })
  test('bytes that are not TLS end the connection at once', async () => {
    const rig = await start()
    await tcpUntilClosed(rig.server.address, Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    expect(rig.reasons).toEqual(['P2P_TLS'])
  })
  test('TLS that takes too long is given up', async () => {
    const rig = await start({ tlsMs: 15 * SECOND })
    const closed = tcpUntilClosed(rig.server.address, body('1603010200'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    rig.timers.advance(15 * SECOND)
    await closed
    expect(rig.reasons).toEqual(['P2P_TLS'])
  })
  test('its own NodeID is refused', async () => {
    const identity = cheapIdentity()
    const rig = await start({ identity })
    await (await connectRaw(rig.server.address, identity)).closed
    expect(rig.reasons).toEqual(['P2P_OWN_NODE_ID'])
  })
  test('a NodeID that is not allowed is refused', async () => {
    const rig = await start({ isAllowed: () => false })
    await (await connectRaw(rig.server.address)).closed
    expect(rig.reasons).toEqual(['P2P_NOT_ALLOWED'])
  })
  test('a second connection of a NodeID is refused, the first goes on; after its end it may come back at once', async () => {
    const rig = await start()
    const first = await ready(rig)
    const second = await connectRaw(rig.server.address, first.identity)
    expect(await second.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_DUPLICATE'])
    expect(await answers(first)).toBe(true)
    first.socket.end()
    await first.closed
    await becomeReady(await connectRaw(rig.server.address, first.identity), rig.now())
    expect(rig.server.peers()).toHaveLength(1)
  })
  test('one connection per address in 10 s, unless it is the own machine', async () => {
    const rig = await start({ admission: { exemptLoopback: false } })
    await ready(rig)
    await tcpUntilClosed(rig.server.address)
    expect(rig.reasons).toEqual(['P2P_COOLDOWN'])
    rig.timers.advance(10 * SECOND)
    await ready(rig)
  })
  test('connections above the accept rate wait', async () => {
    const rig = await start({ admission: { acceptsBurst: 1, acceptsPerSecond: 10 } })
    await ready(rig)
    const next = ready(rig)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(rig.server.peers()).toHaveLength(1)
    rig.timers.advance(100)
    await next
    expect(rig.server.peers()).toHaveLength(2)
  })
  test('connections above the limit are cut', async () => {
    const rig = await start({ admission: { connections: 1 } })
    await ready(rig)
    await tcpUntilClosed(rig.server.address)
    expect(rig.reasons).toEqual(['P2P_CONNECTION_LIMIT'])
  })
  test('a server that closes ends its connections in order', async () => {
    const rig = await start()
    const raw = await ready(rig)
    await rig.server.close()
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_SHUTDOWN'])
    await tcpUntilClosed(rig.server.address)
  })
  test('a port that is taken is an error with a code', async () => {
    const rig = await start()
    await expect(start({ port: rig.server.address.port })).rejects.toMatchObject({ code: 'P2P_SOCKET' })
  })
})
