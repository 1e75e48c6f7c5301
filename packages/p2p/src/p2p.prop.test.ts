import { isFirnError } from '@firn/codec'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as BloomFilter from './BloomFilter.ts'
import * as Endpoint from './Endpoint.ts'
import * as Frame from './Frame.ts'
import * as zstd from './internal/zstd.ts'
import * as Message from './Message.ts'
import { createPeerServer, type PeerServer } from './PeerServer.ts'
import { becomeReady, cheapIdentity, connectRaw, handshake, NETWORK_ID } from './testing/raw.ts'
import { readVectors } from './testing/vectors.ts'

const bytesOf = (maxLength: number) => fc.uint8Array({ maxLength })
const valid = readVectors<{ bytes: string }>('message').map(({ bytes }) =>
  Uint8Array.from(Buffer.from(bytes.slice(2), 'hex')),
)
const compressed = readVectors<{ compressed: string | null }>('message').flatMap((vector) =>
  vector.compressed === null ? [] : [Uint8Array.from(Buffer.from(vector.compressed.slice(2), 'hex'))],
)

/** Returns a valid message with some bytes changed, removed or inserted. */
const mutated = (from: readonly Uint8Array[]) =>
  fc
    .record({
      base: fc.constantFrom(...from),
      edits: fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      cut: fc.option(fc.nat(), { nil: undefined }),
      tail: bytesOf(8),
    })
    .map(({ base, edits, cut, tail }) => {
      const bytes = base.slice(0, cut === undefined ? base.length : cut % (base.length + 1))
      for (const { at, byte } of edits) if (bytes.length > 0) bytes[at % bytes.length] = byte
      return Uint8Array.from([...bytes, ...tail])
    })

function onlyTypedErrors<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!isFirnError(error)) throw error
    return undefined
  }
}

describe('decoding of arbitrary bytes', () => {
  const decode = (bytes: Uint8Array): void => {
    const body = onlyTypedErrors(() => Message.decode(bytes))
    // A decoded message can be encoded and decodes to the same value again.
    if (body !== undefined) expect(Message.decode(Message.encode(body))).toEqual(body)
  }
  test('decodes random bytes as a message or throws a typed error', () => {
    fc.assert(fc.property(bytesOf(300), decode), { numRuns: 2_000 })
  })
  test('decodes corrupted messages or throws a typed error', () => {
    fc.assert(fc.property(mutated(valid), decode), { numRuns: 2_000 })
  })
  test('decodes a response as the general decoder does, however it is encoded', () => {
    const chainId = new Uint8Array(32).fill(7)
    const field = fc.oneof(
      fc.constantFrom(
        [0x10, 0x05],
        [0x10, 0xff, 0xff, 0xff, 0xff, 0x0f],
        [0x10, 0x80, 0x80, 0x80, 0x80, 0x10],
      ),
      fc.constantFrom([0x0a, 0x20, ...chainId], [0x0a, 0x01, 0x09], [0x22, 0x01, 0x00], [0x1a, 0x00]),
      bytesOf(200).map((bytes) => [
        0x1a,
        ...(bytes.length < 128 ? [] : [0x80 | (bytes.length & 127)]),
        bytes.length < 128 ? bytes.length : bytes.length >> 7,
        ...bytes,
      ]),
    )
    const usual = fc.tuple(fc.constant([0x0a, 0x20, ...chainId]), field, field).map((fields) => fields.flat())
    const inner = fc.oneof(
      usual,
      fc.array(field, { maxLength: 4 }).map((fields) => fields.flat()),
    )
    fc.assert(
      fc.property(inner, fc.boolean(), (body, isLong) => {
        const length = body.length < 128 ? [body.length] : [0x80 | (body.length & 127), body.length >> 7]
        const plain = Uint8Array.from([0xfa, 0x01, ...length, ...body, ...(isLong ? [0x08, 0x00] : [])])
        const general = onlyTypedErrors(() => {
          // An unknown field of the envelope makes the message unusual, but does not change it.
          const unusual = Uint8Array.from([...plain, 0xa0, 0x06, 0x00])
          return Message.decode(unusual)
        })
        expect(onlyTypedErrors(() => Message.decode(plain))).toEqual(general)
      }),
      { numRuns: 500 },
    )
  })
  test('decodes corrupted compressed messages or throws a typed error', () => {
    fc.assert(fc.property(mutated(compressed), decode), { numRuns: 1_000 })
  })
  test('decodes random bytes as a bloom filter or throws a typed error', () => {
    fc.assert(
      fc.property(bytesOf(200), bytesOf(40), (bytes, key) => {
        const filter = onlyTypedErrors(() => BloomFilter.decode(bytes))
        if (filter === undefined) return
        expect(BloomFilter.encode(filter)).toEqual(bytes)
        BloomFilter.add(filter, key, key)
        expect(BloomFilter.contains(filter, key, key)).toBe(true)
      }),
    )
  })
  test('parses random text as an endpoint or throws a typed error', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
        (text) => void onlyTypedErrors(() => Endpoint.parse(text)),
      ),
    )
  })
})

test('formats and parses any IP address without changing it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ minLength: 4, maxLength: 4 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
      ),
      (bytes) => {
        const text = Endpoint.formatAddress(bytes)
        expect(Uint8Array.from(Endpoint.addressBytes(text))).toEqual(
          Uint8Array.from(Endpoint.normalize(bytes)),
        )
      },
    ),
    { numRuns: 500 },
  )
  const zeros = fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(zeros, (bytes) => {
      const address = Uint8Array.from(bytes)
      expect(Endpoint.addressBytes(Endpoint.formatAddress(address))).toEqual(address)
    }),
    { numRuns: 500 },
  )
})

test('compresses and decompresses any bytes without changing them', () => {
  fc.assert(
    fc.property(bytesOf(2_000), (bytes) => {
      expect(Uint8Array.from(zstd.decompress(zstd.compress(bytes), Frame.MAX_LENGTH))).toEqual(bytes)
    }),
  )
})

test('returns the same frames however the stream is split into chunks', () => {
  fc.assert(
    fc.property(
      fc.array(bytesOf(100), { maxLength: 10 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      (bodies, sizes) => {
        const stream = Uint8Array.from(bodies.flatMap((body) => [...Frame.encode(body)]))
        const seen: Uint8Array[] = []
        const splitter = Frame.createSplitter({ onBody: (body) => seen.push(body.slice()) > 0 })
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] as number
          splitter.push(stream.subarray(at, at + size))
          at += size
        }
        expect(seen).toEqual(bodies)
        expect(splitter.buffered).toBe(0)
      },
    ),
  )
})

describe('a running server', () => {
  let server: PeerServer
  const reasons: string[] = []
  beforeAll(async () => {
    server = await createPeerServer({
      networkId: NETWORK_ID,
      identity: cheapIdentity(),
      onAppRequest: (_peer, request, reply) => reply.response(request.bytes),
      onClose: (_peer, reason) => reasons.push(reason.code),
    })
  })
  afterAll(() => server.close())

  test('survives any stream of bytes, and either closes the connection with an error code or keeps it open', async () => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const bystander = await connectRaw(server.address)
    await becomeReady(bystander, now)
    let connections = 0
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.oneof(mutated(valid), mutated(compressed), bytesOf(64)), { maxLength: 30 }),
        bytesOf(32),
        async (isReady, bodies, tail) => {
          connections += 1
          const raw = await connectRaw(server.address)
          if (isReady) {
            raw.send({ case: 'handshake', value: handshake(raw.identity, now) })
            raw.send({ case: 'peerList', value: {} })
          }
          for (const body of bodies) raw.frame(body)
          raw.write(tail)
          raw.socket.end()
          await raw.closed
        },
      ),
      { numRuns: 60 },
    )
    bystander.send({
      case: 'appRequest',
      value: { chainId: new Uint8Array(32), requestId: 1, deadline: 10n ** 10n },
    })
    expect(await bystander.next('appResponse')).toMatchObject({ requestId: 1 })
    await expect.poll(() => reasons.length).toBe(connections)
    for (const reason of reasons) expect(reason).toMatch(/^P2P_/)
  })
})
