import { generateKeyPairSync } from 'node:crypto'
import type { ConnectionOptions } from 'node:tls'
import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import { createClaimBook } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import type { Peer } from './Peer.ts'
import { certificatePem } from './testing/certificates.ts'
import {
  becomeReady,
  CHAIN,
  cheapIdentity,
  connectRaw,
  NETWORK_ID,
  SECOND,
  settle,
  tcpUntilClosed,
} from './testing/raw.ts'
import { answers, type Rig, ready, start } from './testing/server.ts'

describe('requests', () => {
  test.each([
    ['0', 0n, 0],
    ['1 ms', 1_000_000n, 1],
    ['2^63 - 1', 2n ** 63n - 1n, 1],
    ['2^63', 2n ** 63n, 0],
  ])(
    'handles a request only if its deadline is positive and below 2^63: %s',
    async (_, deadline, answersExpected) => {
      const rig = await start()
      const raw = await ready(rig)
      raw.send({ case: 'appRequest', value: { chainId: CHAIN, requestId: 77, deadline, appBytes: CHAIN } })
      await settle(raw)
      expect(raw.received.filter((message) => message.case === 'appResponse')).toHaveLength(answersExpected)
      expect(rig.server.counters.expiredRequests).toBe(1 - answersExpected)
    },
  )
  test('sends only the first answer of a handler, a response or an error, and counts further answers', async () => {
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
  test('pauses reading while too many requests are in progress, until they are answered or expire', async () => {
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

describe('limits', () => {
  test('reads more slowly from a peer that exceeds its rate, without losing data', async () => {
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
  test('counts the decompressed size against the rate limit', async () => {
    const rig = await start({ limits: { inboundBytesPerSecond: 1_000, inboundBurstBytes: 10_000 } })
    const raw = await ready(rig)
    raw.send({ case: 'appGossip', value: { appBytes: new Uint8Array(1_000_000) } }, { compress: true })
    await expect.poll(() => rig.server.counters.throttledReads).toBe(1)
  })
  test('drops messages to a peer that does not read, then closes the connection', async () => {
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
  test('answers with up to 15 claims that the peer does not know, and sends no answer if there are none', async () => {
    const clock: { rig?: Rig } = {}
    const book = createClaimBook({
      isTracked: () => true,
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
  ])('accepts only peers with a valid staking certificate: %s', async (_, make, code) => {
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
  test('rejects TLS 1.2', async () => {
    const rig = await start()
    await expect(connectRaw(rig.server.address, cheapIdentity(), { maxVersion: 'TLSv1.2' })).rejects.toThrow()
    expect(rig.reasons).toEqual(['P2P_TLS'])
  })
  test('closes a connection at once when it receives bytes that are not TLS', async () => {
    const rig = await start()
    await tcpUntilClosed(rig.server.address, Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    expect(rig.reasons).toEqual(['P2P_TLS'])
  })
  test('aborts a TLS handshake that takes too long', async () => {
    const rig = await start({ tlsMs: 15 * SECOND })
    const closed = tcpUntilClosed(rig.server.address, Hex.decode('0x1603010200'))
    const reasons = () => {
      rig.timers.advance(15 * SECOND)
      return rig.reasons
    }
    await expect.poll(reasons).toEqual(['P2P_TLS'])
    await closed
  })
  test("rejects a peer with the server's own NodeID", async () => {
    const identity = cheapIdentity()
    const rig = await start({ identity })
    await (await connectRaw(rig.server.address, identity)).closed
    expect(rig.reasons).toEqual(['P2P_OWN_NODE_ID'])
  })
  test('rejects a peer whose NodeID is not allowed', async () => {
    const rig = await start({ isAllowed: () => false })
    await (await connectRaw(rig.server.address)).closed
    expect(rig.reasons).toEqual(['P2P_NOT_ALLOWED'])
  })
  test('rejects a second connection of a NodeID while the first is open, and accepts one after the first has ended', async () => {
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
  test('accepts one connection per remote address every 10 s', async () => {
    const rig = await start({ admission: { exemptLoopback: false } })
    await ready(rig)
    await tcpUntilClosed(rig.server.address)
    expect(rig.reasons).toEqual(['P2P_COOLDOWN'])
    rig.timers.advance(10 * SECOND)
    await ready(rig)
  })
  test('delays connections that exceed the accept rate', async () => {
    const rig = await start({ admission: { acceptsBurst: 1, acceptsPerSecond: 10 } })
    await ready(rig)
    const next = ready(rig)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(rig.server.peers()).toHaveLength(1)
    rig.timers.advance(100)
    await next
    expect(rig.server.peers()).toHaveLength(2)
  })
  test('closes connections beyond the maximum number', async () => {
    const rig = await start({ admission: { connections: 1 } })
    await ready(rig)
    await tcpUntilClosed(rig.server.address)
    expect(rig.reasons).toEqual(['P2P_CONNECTION_LIMIT'])
  })
  test('closes all connections cleanly when the server is closed', async () => {
    const rig = await start()
    const raw = await ready(rig)
    await rig.server.close()
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_SHUTDOWN'])
    await tcpUntilClosed(rig.server.address)
  })
  test('reports a port that is in use as P2P_SOCKET', async () => {
    const rig = await start()
    await expect(start({ port: rig.server.address.port })).rejects.toMatchObject({ code: 'P2P_SOCKET' })
  })
})
