import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import { createClaimBook } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import * as Frame from './Frame.ts'
import * as Message from './Message.ts'
import type { P2pErrorCode } from './P2pError.ts'
import { createManualTimers } from './Timers.ts'
import {
  becomeReady,
  bls,
  blsPublicKey,
  CHAIN,
  cheapIdentity,
  connectRaw,
  handshake,
  type Raw,
  SECOND,
  settle,
} from './testing/raw.ts'
import { answers, type Rig, ready, start } from './testing/server.ts'

const body = (hex: string): Uint8Array => Hex.decode(`0x${hex}`)
const claimIdentity = cheapIdentity()
const claimOf = (rig: Rig, change: Partial<ClaimedIpPort.ClaimedIpPort> = {}, age = 0n) => {
  const claim = ClaimedIpPort.create(claimIdentity, { host: '1.2.3.4', port: 9_651 }, rig.now() - age)
  return { claimedIpPorts: [{ ...claim, ...change }] }
}

interface Row {
  readonly name: string
  readonly act: (raw: Raw, rig: Rig) => void | Promise<void>
  /**
   * Code of the error that ends the connection; absent if the connection stays open and requests are
   * answered.
   */
  readonly code?: P2pErrorCode
  /** Whether the NodeID of the claims is tracked. */
  readonly isTracked?: boolean
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
    name: 'an unsolicited Pong',
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
  { name: '5 bytes of garbage', ...frame(body('ffffffffff')) },
  {
    name: '2 MiB of garbage',
    act: async (raw, rig) => {
      raw.frame(new Uint8Array(Frame.MAX_LENGTH).fill(0xff))
      // The frame uses up the whole burst of the rate limit.
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
    name: 'a doubly compressed message',
    ...frame(body('121828b52ffd200f790000120d28b52ffd20042100005a02084d')),
  },
  { name: 'a compressed Ping', ...frame(body('120d28b52ffd20042100005a02084d')) },
  { name: 'a body of 3 MiB after decompression', ...frame(body('120e28b52ffda000003000020000000b00')) },
  {
    name: 'an AppRequest with a chain id of 31 bytes',
    act: (raw) =>
      raw.send({
        case: 'appRequest',
        value: { chainId: CHAIN.subarray(1), requestId: 1, deadline: 10n ** 10n },
      }),
  },
  {
    name: 'an unsolicited AppResponse',
    act: (raw) => raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: 1 } }),
  },
  {
    name: 'an unsolicited AppError',
    act: (raw) => raw.send({ case: 'appError', value: { chainId: CHAIN, requestId: 1 } }),
  },
  { name: 'garbage gossip', act: (raw) => raw.send({ case: 'appGossip', value: { appBytes: CHAIN } }) },
  { name: 'garbage Chits', act: (raw) => raw.send({ case: 'chits', value: { chainId: CHAIN.subarray(5) } }) },
  {
    name: 'repeated empty PeerLists',
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
    name: 'a claim with a 5-byte address',
    ...list((rig) => claimOf(rig, { ipAddr: CHAIN.subarray(0, 5) })),
    code: 'P2P_IP',
  },
  { name: 'a claim with port 0', ...list((rig) => claimOf(rig, { ipPort: 0 })), code: 'P2P_PORT' },
  { name: 'a claim with port 65536', ...list((rig) => claimOf(rig, { ipPort: 65_536 })), code: 'P2P_PORT' },
  { name: 'a valid claim of a tracked node', ...list((rig) => claimOf(rig)), isTracked: true },
  {
    name: 'a claim of a tracked node, signed for another port',
    ...list((rig) => claimOf(rig, { ipPort: 1 })),
    isTracked: true,
    code: 'P2P_IP_SIGNATURE',
  },
  {
    name: 'a claim of a tracked node, signed 60 s ahead',
    ...list((rig) => claimOf(rig, {}, -60n)),
    isTracked: true,
  },
  {
    name: 'a claim of a tracked node, signed 61 s ahead',
    ...list((rig) => claimOf(rig, {}, -61n)),
    isTracked: true,
    code: 'P2P_IP_TIMESTAMP',
  },
  {
    name: 'a claim of an untracked node with an invalid signature',
    ...list((rig) => claimOf(rig, { signature: CHAIN })),
  },
  {
    name: 'an outdated claim of a tracked node with an invalid signature',
    act: (raw, rig) => {
      raw.send({ case: 'peerList', value: claimOf(rig) })
      raw.send({ case: 'peerList', value: claimOf(rig, { signature: CHAIN }, 1n) })
    },
    isTracked: true,
  },
]

describe('a ready connection', () => {
  const withBook = async (row: Row): Promise<Rig> => {
    const clock: { rig?: Rig } = {}
    const book = createClaimBook({
      isTracked: () => row.isTracked === true,
      now: () => clock.rig?.now() ?? 0n,
      random: (length) => new Uint8Array(length),
    })
    const isDefault = row.isTracked !== true
    clock.rig = await start(isDefault ? {} : { onClaims: (_peer, claims) => void book.consider(claims) })
    return clock.rig
  }
  test.each(rows.filter(({ code }) => code !== undefined))(
    'closes a ready connection after $name ($code)',
    async (row) => {
      const rig = await withBook(row)
      const [raw, bystander] = await Promise.all([ready(rig), ready(rig)])
      await row.act(raw, rig)
      expect(await raw.closed).toBe('end')
      expect(rig.reasons).toEqual([row.code])
      expect(await answers(bystander)).toBe(true)
    },
  )
  test.each(rows.filter(({ code }) => code === undefined))(
    'keeps a ready connection open after $name',
    async (row) => {
      const rig = await withBook(row)
      const raw = await ready(rig)
      await row.act(raw, rig)
      expect(await answers(raw)).toBe(true)
      expect(rig.reasons).toEqual([])
    },
  )
})

describe('before the connection is ready', () => {
  test('ignores a PeerList before the Handshake, and becomes ready with the first one after it', async () => {
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
  test('ignores a malformed GetPeerList before the handshake is complete', async () => {
    const rig = await start()
    const raw = await connectRaw(rig.server.address)
    raw.send({ case: 'getPeerList', value: {} })
    await settle(raw)
    await becomeReady(raw, rig.now())
    expect(await answers(raw)).toBe(true)
  })
  test('processes Handshake, PeerList and request in order when they arrive in one chunk', async () => {
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
  test('keeps an unready connection open for more than 30 s while the client answers Pings', async () => {
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
  test('closes a connection 30 s after the last frame, having sent one Ping', async () => {
    const rig = await start()
    const raw = await ready(rig)
    rig.timers.advance(29.9 * SECOND)
    expect(rig.reasons).toEqual([])
    rig.timers.advance(0.2 * SECOND)
    expect(await raw.closed).toBe('end')
    expect(rig.reasons).toEqual(['P2P_IDLE'])
    expect(raw.received.filter((message) => message.case === 'ping')).toHaveLength(1)
  })
  test('resets the idle timer when the length of a frame arrives, even a length of 0, but not when bytes of a body arrive', async () => {
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

test('keeps the connection open if a frame is waiting to be read when the idle timer fires', async () => {
  const rig = await start()
  const raw = await ready(rig)
  raw.send({ case: 'pullQuery', value: {} })
  rig.timers.advance(30 * SECOND)
  expect(await answers(raw)).toBe(true)
  expect(rig.reasons).toEqual([])
})

describe('checks at each Ping', () => {
  const compatibility = (upgradeTime: bigint) => {
    const minimum = (minor: number) => ({ name: '', major: 1, minor, patch: 0 })
    return { upgradeTime, before: minimum(14), after: minimum(16) }
  }
  test('disconnects a peer whose version becomes too old at an upgrade', async () => {
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
  test('disconnects a validator whose address is not signed by the newly registered key', async () => {
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
