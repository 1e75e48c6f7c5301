import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { ATOMIC_TX_GOSSIP } from './HandlerPrefix.ts'
import * as Message from './Message.ts'
import * as PushGossip from './PushGossip.ts'
import { aim, connected, listen, start as startNetwork } from './testing/network.ts'
import { CHAIN, cheapIdentity, connectRaw, settle, welcome } from './testing/raw.ts'
import { ready, start } from './testing/server.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`

const TXS = [Uint8Array.of(1, 2), Uint8Array.of(3)]
const gossip = { chainId: CHAIN, handlerId: BigInt(ATOMIC_TX_GOSSIP), transactions: TXS }
const appBytes = Hex.decode('0x010a020102 0a0103'.replace(' ', '') as Bytes)

describe('vectors', () => {
  test.each(readVectors<{ bytes: Bytes }>('message').filter(({ name }) => name.startsWith('app_gossip: ')))(
    'decodes and encodes the reference message $bytes',
    ({ bytes }) => {
      const { case: kind, value } = Message.decode(Hex.decode(bytes))
      if (kind !== 'appGossip') throw new Error(kind)
      const decoded = PushGossip.decode(value.appBytes)
      expect(decoded.handlerId).toBe(0n)
      expect(decoded.transactions.map(({ length }) => length)).toEqual([20, 30])
      expect(
        Hex.encode(Message.encode({ case: kind, value: { ...value, appBytes: PushGossip.encode(decoded) } })),
      ).toBe(bytes)
    },
  )
  test('encodes the handler as a varint and an empty list as nothing', () => {
    expect(Hex.encode(PushGossip.encode({ handlerId: 300n, transactions: [] }))).toBe('0xac02')
    expect(PushGossip.decode(Uint8Array.of(0xac, 2))).toEqual({ handlerId: 300n, transactions: [] })
  })
  test.each(['0x', '0x80', '0x000a', '0x000a0501', '0x000801', '0x00ff'] as const)('rejects %s', (hex) => {
    expect(codeOf(() => PushGossip.decode(Hex.decode(hex)))).toBe('P2P_MESSAGE')
  })
  test('rejects more than 4,096 transactions before decoding them', () => {
    const bytes = new Uint8Array(1 + 2 * 4_097).fill(0)
    for (let at = 1; at < bytes.length; at += 2) bytes[at] = 0x0a
    expect(PushGossip.decode(bytes.subarray(0, -2)).transactions).toHaveLength(4_096)
    expect(codeOf(() => PushGossip.decode(bytes))).toBe('P2P_MESSAGE')
  })
  test.each([-1n, 2n ** 64n])('rejects the handler id %s', (handlerId) => {
    expect(codeOf(() => PushGossip.encode({ handlerId, transactions: TXS }))).toBe('P2P_ARGUMENT')
  })
})

describe('gossip', () => {
  test('pushes transactions once to each connected node, and returns their number', async () => {
    const rig = await connected()
    const other = await listen()
    aim(rig, { nodeId: other.identity.nodeId, address: other.address })
    const raw = await other.next()
    await welcome(raw, rig.now())
    await rig.network.connected(other.identity.nodeId)
    const nodeIds = [rig.nodeId, other.identity.nodeId, rig.nodeId, cheapIdentity().nodeId]
    expect(rig.network.gossip(nodeIds, gossip)).toBe(2)
    for (const node of [rig.raw, raw]) {
      expect(await node.next('appGossip')).toMatchObject({ chainId: CHAIN, appBytes })
      await settle(node)
      expect(node.received.some(({ case: kind }) => kind === 'appGossip')).toBe(false)
    }
  })
  test('does not count a node that does not read', async () => {
    const { network, raw, nodeId } = await connected({ limits: { outboundBytes: 1_000 } })
    raw.socket.pause()
    const transactions = [new Uint8Array(1_000_000)]
    let sent = 0
    while (sent < 100 && network.gossip([nodeId], { ...gossip, transactions }) === 1) sent++
    expect(sent).toBeLessThan(100)
    expect(network.counters.droppedMessages).toBe(1)
  })
  test.each([
    ['P2P_ARGUMENT', { chainId: CHAIN.subarray(1) }],
    ['P2P_ARGUMENT', { handlerId: -1n }],
    ['P2P_FRAME_LENGTH', { transactions: [new Uint8Array(2_097_152)] }],
  ] as const)('throws %s if a part has a wrong size', (code, part) => {
    expect(codeOf(() => startNetwork().network.gossip([], { ...gossip, ...part }))).toBe(code)
  })
})

describe('onGossip', () => {
  test.each([false, true])('receives the transactions of a peer (compressed: %s)', async (compress) => {
    const seen: unknown[] = []
    const rig = await start({ onGossip: (content, peer) => seen.push([content, peer.nodeId]) })
    const raw = await ready(rig)
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes } }, { compress })
    await settle(raw)
    expect(seen).toEqual([[gossip, raw.identity.nodeId]])
  })
  test('runs also on the dialling side', async () => {
    const seen: unknown[] = []
    const { raw } = await connected({ onGossip: (content) => seen.push(content) })
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes } })
    await settle(raw)
    expect(seen).toEqual([gossip])
  })
  test('does not see malformed gossip, which is counted', async () => {
    const seen: unknown[] = []
    const rig = await start({ onGossip: (content) => seen.push(content) })
    const raw = await ready(rig)
    raw.send({ case: 'appGossip', value: { chainId: CHAIN.subarray(1), appBytes } })
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes: Uint8Array.of(0x80) } })
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes: appBytes.subarray(0, -1) } })
    await settle(raw)
    expect(seen).toEqual([])
    expect(rig.server.counters).toMatchObject({ malformedMessages: 3, ignoredMessages: 0 })
  })
  test('does not see gossip that arrives before the handshake', async () => {
    const seen: unknown[] = []
    const rig = await start({ onGossip: (content) => seen.push(content) })
    const raw = await connectRaw(rig.server.address)
    await raw.next('handshake')
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes } })
    await settle(raw)
    expect(seen).toEqual([])
    expect(rig.server.counters.earlyMessages).toBe(1)
  })
  test('is optional: gossip is ignored without it', async () => {
    const rig = await start()
    const raw = await ready(rig)
    raw.send({ case: 'appGossip', value: { chainId: CHAIN, appBytes } })
    await settle(raw)
    expect(rig.server.counters).toMatchObject({ ignoredMessages: 1, malformedMessages: 0 })
  })
})
