import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Frame from './Frame.ts'
import { MessageSchema } from './gen/p2p_pb.ts'
import * as zstd from './internal/zstd.ts'
import * as Message from './Message.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

type Bytes = `0x${string}`
type Fields = Record<string, unknown>

interface MessageCase {
  readonly bytes: Bytes
  readonly framed: Bytes
  readonly compressed: Bytes | null
  readonly fields: Record<string, Fields>
}

interface ParseCase {
  readonly bytes: Bytes
  readonly ok: boolean
  readonly op?: string
  readonly fields?: Fields
}

/**
 * Returns a message in the format of the test vectors: snake-case names, bytes as hex, 64-bit numbers as
 * decimal strings.
 */
function toFields(value: unknown): unknown {
  if (value instanceof Uint8Array) return Hex.encode(value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toFields)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, item]) => !name.startsWith('$') && item !== undefined)
  return Object.fromEntries(entries.map(([name, item]) => [snake(name), toFields(item)]))
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

/** Returns the name of a message kind in the test vectors. Two of the names lack an underscore. */
function operation(kind: Message.Case): string {
  return snake(kind).replace('peer_list', 'peerlist')
}

describe('vectors', () => {
  test.each(readVectors<MessageCase>('message'))(
    'decodes, encodes and compresses the message $name as the reference does',
    ({ bytes, framed, compressed, fields }) => {
      const body = Message.decode(Hex.decode(bytes))
      expect({ [snake(body.case)]: toFields(body.value) }).toEqual(fields)
      const encoded = Message.encode(body)
      expect(Hex.encode(encoded)).toBe(bytes)
      expect(Hex.encode(Frame.encode(encoded))).toBe(framed)
      expect(Message.isCompressedByNodes(body.case)).toBe(compressed !== null)
      if (compressed === null) return
      expect(Hex.encode(Message.unwrap(Hex.decode(compressed)))).toBe(bytes)
      expect(Hex.encode(Message.unwrap(Message.encode(body, { compress: true })))).toBe(bytes)
    },
  )
  test.each(readVectors<ParseCase>('parseMessage'))(
    'parses or rejects $name as the reference implementation does',
    ({ bytes, ok, op, fields }) => {
      const encoded = Hex.decode(bytes)
      if (!ok) {
        expect(codeOf(() => Message.decode(encoded))).toBe('P2P_MESSAGE')
        return
      }
      const body = Message.decode(encoded)
      expect(operation(body.case)).toBe(op)
      expect(toFields(body.value)).toMatchObject(fields as object)
      expect(Message.peek(Message.unwrap(encoded))).toBe(body.case)
    },
  )
})

describe('messages recorded from live nodes', () => {
  const chainId = Hex.decode('0xee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead7667')
  test('encodes a request like one recorded from a live node', () => {
    const appBytes = Hex.decode(
      '0x020a58000000003039ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead76670000002e000000000001000000148db97c7cece249c2b98bdc0226cc4c2a57bf52fc0000000c68656c6c6f2066726f6d2063',
    )
    const value = { chainId, requestId: 1, deadline: 10_000_000_000n, appBytes }
    expect(Hex.encode(Message.encode({ case: 'appRequest', value }))).toBe(
      `0xf20187010a20${Hex.encodeBare(chainId)}10011880c8afa025225b${Hex.encodeBare(appBytes)}`,
    )
  })
  test('decodes and re-encodes a response recorded from a live node', () => {
    const body = Hex.decode(
      '0x12950128b52ffd208c610400fa0188010a20ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead766710011a620a60b7aaa88ad26a960d834b8e8d3d0fe4f5b72dfcacd60cb5c3020b703b540af0cb11dcac448805e46e273c82bad837c1d20921b397d9e9304822e7f5f6741bf7006b2aa3aa3013605932caabeb37a72be9ea2881be523b3f9f199736912ae8a112',
    )
    const message = Message.decode(body)
    expect(message).toMatchObject({ case: 'appResponse', value: { chainId, requestId: 1 } })
    expect(Hex.encode(Message.encode(message, { compress: true }))).toBe(Hex.encode(body))
  })
  test('decodes and re-encodes an error recorded from a live node', () => {
    const body = Hex.decode(
      '0x127028b52ffd20673903009202640a20ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead766710031801223c6661696c656420746f207061727365207761727020756e7369676e6564206d6573736167653a20756e6b6e6f776e20636f6465632076657273696f6e',
    )
    const errorMessage = 'failed to parse warp unsigned message: unknown codec version'
    expect(Message.decode(body)).toMatchObject({
      case: 'appError',
      value: { requestId: 3, errorCode: -1, errorMessage },
    })
    expect(Hex.encode(Message.encode(Message.decode(body), { compress: true }))).toBe(Hex.encode(body))
  })
  test.each([
    ['a Pong', { case: 'pong', value: {} }, '0x000000026200'],
    ['a Ping of 0', { case: 'ping', value: {} }, '0x000000025a00'],
    ['a Ping of 100', { case: 'ping', value: { uptime: 100 } }, '0x000000045a020864'],
    ['an empty PeerList', { case: 'peerList', value: {} }, '0x000000027200'],
  ] satisfies [string, Message.BodyInit, string][])('encodes %s', (_, body, framed) => {
    expect(Hex.encode(Frame.encode(Message.encode(body)))).toBe(framed)
  })
})

describe('zstd', () => {
  test.each([0, 1, 140, 255, 256, 511, 512, 65_791, 65_792, 131_072, 131_073, 2_097_152])(
    'compresses and decompresses %i bytes without changes',
    (length) => {
      const random = crypto.getRandomValues(new Uint8Array(Math.min(length, 65_536)))
      const bytes = Uint8Array.from({ length }, (_, i) => random[i % 65_536] as number)
      expect(Buffer.compare(zstd.decompress(zstd.compress(bytes), Frame.MAX_LENGTH), bytes)).toBe(0)
    },
  )
  test('adds only a 9-byte zstd header to a short response, as nodes do', () => {
    const body = {
      case: 'appResponse',
      value: { chainId: new Uint8Array(32).fill(7), requestId: 1, appBytes: new Uint8Array(98) },
    } as const
    const plain = Message.encode(body)
    expect(Message.encode(body, { compress: true }).length - plain.length).toBe(9 + 3)
  })
  test.each([
    ['announced', Hex.decode('0x28b52ffda001002000')],
    ['not announced', Hex.decode('0x28b52ffd0058')],
  ])('rejects a decompressed size above 2 MiB that is %s', (_, header) => {
    const blocks = Buffer.concat(
      Array.from({ length: 17 }, (_, i) => Buffer.from([i === 16 ? 3 : 2, 0, 0x10, 0])),
    )
    expect(codeOf(() => zstd.decompress(Buffer.concat([header, blocks]), Frame.MAX_LENGTH))).toBe(
      'P2P_MESSAGE',
    )
  })
  test('decompresses a block of one repeated byte', () => {
    expect(zstd.decompress(Hex.decode('0x28b52ffd200843000061'), 100)).toHaveLength(8)
  })
  test.each(['0x28b52ffd2005290000 61626364', '0x28b52ffd2004290000 6162636465'])(
    'rejects stored blocks that do not match the announced size: %s',
    (hex) => {
      expect(codeOf(() => zstd.decompress(Hex.decode(hex.replace(' ', '') as Bytes), 100))).toBe(
        'P2P_MESSAGE',
      )
    },
  )
})

describe('limits', () => {
  test.each([true, false])('refuses to encode more than 2 MiB (compressed: %s)', (compress) => {
    const encode = (length: number) =>
      Message.encode({ case: 'appGossip', value: { appBytes: new Uint8Array(length) } }, { compress })
    const overhead = 2 + 3 + 1 + 3
    expect(Message.unwrap(encode(Frame.MAX_LENGTH - overhead))).toHaveLength(Frame.MAX_LENGTH)
    expect(codeOf(() => encode(Frame.MAX_LENGTH - overhead + 1))).toBe('P2P_FRAME_LENGTH')
  })
  const ofMember = (number: number, content: Uint8Array): Uint8Array =>
    toBinary(
      MessageSchema,
      fromBinary(MessageSchema, Buffer.concat([varint((number << 3) | 2), varint(content.length), content])),
    )
  const varint = (value: number): Uint8Array => {
    const bytes: number[] = []
    for (let rest = value; ; rest >>>= 7) {
      if (rest < 0x80) return Uint8Array.from([...bytes, rest])
      bytes.push((rest & 0x7f) | 0x80)
    }
  }
  test.each([
    ['a PeerList', 14, 2, Uint8Array.of(0x0a, 0)],
    ['tracked subnets', 13, 2, Uint8Array.of(0x42, 0)],
  ])('rejects %s with a million empty entries before decoding it', (_, number, width, entry) => {
    const count = 1_000_000
    const content = new Uint8Array(width * count)
    for (let i = 0; i < count; i++) content.set(entry, i * width)
    const encoded = Buffer.concat([varint((number << 3) | 2), varint(content.length), content])
    expect(codeOf(() => Message.decode(encoded))).toBe('P2P_MESSAGE')
  })
  test('rejects a packed list of a million numbers', () => {
    const content = Buffer.concat([Uint8Array.of(0x52), varint(1_000_000), new Uint8Array(1_000_000)])
    expect(
      codeOf(() => Message.decode(Buffer.concat([Uint8Array.of(0x6a), varint(content.length), content]))),
    ).toBe('P2P_MESSAGE')
  })
  test('drops unknown fields', () => {
    const body = Message.decode(Buffer.concat([Hex.decode('0x5a04080578016200'.slice(0, 14) as Bytes)]))
    expect(body).toMatchObject({ case: 'ping', value: { uptime: 5 } })
    expect(Object.keys(body.value)).not.toContain('$unknown')
  })
  test('rejects a field with the wrong wire type', () => {
    expect(codeOf(() => Message.decode(Hex.decode('0x5a030a0101')))).toBe('P2P_MESSAGE')
    expect(ofMember(11, Uint8Array.of(8, 1))).toHaveLength(4)
  })
  test('rejects a string that is not UTF-8', () => {
    const bytes = Message.encode({ case: 'appError', value: { errorMessage: 'x' } })
    bytes[bytes.length - 1] = 0xff
    expect(codeOf(() => Message.decode(bytes))).toBe('P2P_MESSAGE')
  })
  test('knows all 26 message kinds of the protocol', () => {
    const names = reflect(MessageSchema, create(MessageSchema)).fields.map((field) => field.localName)
    expect(names).toHaveLength(26)
  })
})
