import { describe, expect, test } from 'vitest'
import { blst } from './blst.ts'
import type { Engine } from './Engine.ts'
import { Batch, PublicKey, SecretKey, Signature } from './index.ts'
import { noble } from './noble.ts'

const MESSAGE = new TextEncoder().encode('one message for all')
const INFINITY = Uint8Array.of(0xc0, ...new Uint8Array(95))

/** Returns the batch entry of a signer, given by number. The same arguments always give the same entry. */
function entryOf(engine: Engine, signer: number, message = MESSAGE): Batch.Entry {
  const material = new Uint8Array(32)
  new DataView(material.buffer).setUint32(0, signer)
  const secretKey = SecretKey.generate(material, engine)
  return { publicKey: SecretKey.publicKey(secretKey), signature: Signature.sign(secretKey, message) }
}

function entriesOf(engine: Engine, count: number): Batch.Entry[] {
  return Array.from({ length: count }, (_, signer) => entryOf(engine, signer))
}

/**
 * Adds an error to one signature and subtracts the same error from another, so that the plain sum does not
 * change.
 */
function cancel(entries: Batch.Entry[], one: number, other: number): void {
  const error = entryOf(blst, 999_999).signature
  const opposite = Signature.decode(negated(error.compressed))
  for (const [index, part] of [
    [one, error],
    [other, opposite],
  ] as const) {
    const { publicKey, signature } = entries[index] as Batch.Entry
    entries[index] = { publicKey, signature: Signature.aggregate([signature, part]) }
  }
}

function negated(compressed: Uint8Array): Uint8Array {
  const bytes = compressed.slice()
  bytes[0] = (bytes[0] as number) ^ 0x20
  return bytes
}

describe.each([
  { engine: blst, count: 40 },
  { engine: noble, count: 6 },
])('Batch with the engine $engine.name', ({ engine, count }) => {
  const good = entriesOf(engine, count)
  const wrong = entryOf(engine, 1, new Uint8Array(3))

  test('accepts a batch of valid entries with random weights and with plain sums', () => {
    expect(Batch.verify(MESSAGE, good)).toBe(true)
    expect(Batch.verify(MESSAGE, good, 'none')).toBe(true)
    expect(Batch.findInvalid(MESSAGE, good)).toEqual([])
  })

  test('accepts a single entry and repeated entries', () => {
    expect(Batch.verify(MESSAGE, good.slice(0, 1))).toBe(true)
    const repeated = [...good.slice(0, 3), ...good.slice(0, 3), ...good.slice(0, 1)]
    expect(Batch.verify(MESSAGE, repeated)).toBe(true)
    expect(Batch.verify(MESSAGE, repeated, 'none')).toBe(true)
  })

  test('rejects a wrong signature with random weights and with plain sums, and reports every index at which it occurs', () => {
    const entries = good.with(1, wrong).with(4, wrong)
    expect(Batch.verify(MESSAGE, entries)).toBe(false)
    expect(Batch.verify(MESSAGE, entries, 'none')).toBe(false)
    expect(Batch.findInvalid(MESSAGE, entries)).toEqual([1, 4])
  })

  test('detects two wrong signatures whose errors cancel in the plain sum', () => {
    const entries = good.slice()
    cancel(entries, 2, 5)
    expect(Batch.verify(MESSAGE, entries, 'none')).toBe(true)
    expect(Batch.verify(MESSAGE, entries, 'random')).toBe(false)
    expect(Batch.findInvalid(MESSAGE, entries)).toEqual([2, 5])
  })

  test('rejects the point at infinity, even if the aggregate would verify', () => {
    const infinite = { publicKey: wrong.publicKey, signature: Signature.decode(INFINITY, engine) }
    expect(Batch.verify(MESSAGE, [infinite])).toBe(false)
    expect(Batch.findInvalid(MESSAGE, [infinite])).toEqual([0])
    expect(Batch.findInvalid(MESSAGE, good.with(3, infinite))).toEqual([3])
    const { publicKey, signature } = good[0] as Batch.Entry
    const key = PublicKey.aggregate([publicKey, PublicKey.decode(negated(publicKey.compressed), engine)])
    const hidden = [...good, { publicKey: key, signature: infinite.signature }]
    expect(Batch.verify(MESSAGE, hidden, 'none')).toBe(false)
    expect(Batch.verify(MESSAGE, hidden)).toBe(false)
    expect(Batch.findInvalid(MESSAGE, hidden)).toEqual([good.length])
    expect(Signature.verify(key, MESSAGE, infinite.signature)).toBe(false)
    expect(Signature.verify(key, MESSAGE, signature)).toBe(false)
  })

  test('accepts valid entries whose keys cancel each other with random weights, but rejects them with plain sums', () => {
    const { publicKey, signature } = good[0] as Batch.Entry
    const opposite = {
      publicKey: PublicKey.decode(negated(publicKey.compressed), engine),
      signature: Signature.decode(negated(signature.compressed), engine),
    }
    expect(Batch.verify(MESSAGE, [good[0] as Batch.Entry, opposite])).toBe(true)
    expect(Batch.verify(MESSAGE, [good[0] as Batch.Entry, opposite], 'none')).toBe(false)
    expect(Batch.findInvalid(MESSAGE, [good[0] as Batch.Entry, opposite])).toEqual([])
    expect(Batch.findInvalid(MESSAGE, [good[0] as Batch.Entry, opposite, wrong])).toEqual([2])
  })
})

test('returns false for an empty batch', () => {
  expect(Batch.verify(MESSAGE, [])).toBe(false)
  expect(Batch.verify(MESSAGE, [], 'none')).toBe(false)
  expect(Batch.findInvalid(MESSAGE, [])).toEqual([])
})

test('accepts keys and signatures from different engines in one batch', () => {
  const entries = [entryOf(noble, 1), entryOf(blst, 2), entryOf(noble, 3)]
  expect(Batch.verify(MESSAGE, entries)).toBe(true)
  expect(Batch.findInvalid(MESSAGE, [...entries, entryOf(noble, 4, INFINITY)])).toEqual([3])
  expect(PublicKey.aggregate(entries.map((entry) => entry.publicKey)).compressed).toEqual(
    PublicKey.aggregate([1, 2, 3].map((signer) => entryOf(blst, signer).publicKey)).compressed,
  )
})

test('reads random weights from the given source and replaces a weight of zero', () => {
  const entries = entriesOf(blst, 3)
  const asked: number[] = []
  const zeros = (length: number) => {
    asked.push(length)
    return new Uint8Array(length)
  }
  expect(Batch.verify(MESSAGE, entries, 'random', zeros)).toBe(true)
  expect(asked).toEqual([24])
  const bad = entries.with(1, entryOf(blst, 1, new Uint8Array(0)))
  expect(Batch.verify(MESSAGE, bad, 'random', zeros)).toBe(false)
})

describe('Batch.findInvalid pairing checks', () => {
  let checks = 0
  const counting: Engine = {
    ...(blst as Engine),
    verify: (...claim) => {
      checks++
      return blst.verify(...(claim as Parameters<typeof blst.verify>))
    },
  }
  const good = entriesOf(counting, 256)
  const bad = entryOf(counting, 1, new Uint8Array(1))
  const cases = [
    { bad: [], most: 2 },
    { bad: [0], most: 13 },
    { bad: [255], most: 12 },
    { bad: [100], most: 13 },
    { bad: [7, 200], most: 23 },
    { bad: [100, 101, 102, 103], most: 41 },
  ]
  test.each(cases)(
    'makes at most $most pairing checks to find the bad entries $bad among 256 entries',
    ({ bad: indices, most }) => {
      const entries = good.slice()
      for (const index of indices) entries[index] = bad
      checks = 0
      expect(Batch.findInvalid(MESSAGE, entries)).toEqual(indices)
      expect(checks).toBeLessThanOrEqual(most)
    },
  )

  test('makes little more than two pairing checks per entry if all entries are bad', () => {
    const entries = good.slice(0, 64).map(() => bad)
    checks = 0
    expect(Batch.findInvalid(MESSAGE, entries)).toEqual(Array.from(entries.keys()))
    expect(checks).toBeLessThanOrEqual(2 * 64 + 21)
  })
})

test('parses a key or signature again only if it comes from another engine', () => {
  const entry = entryOf(blst, 1)
  const strict: Engine = { ...(blst as Engine), parsePublicKey: fail, parseSignature: fail }
  function fail(): never {
    throw new Error('parsed again')
  }
  const secretKey = SecretKey.generate(new Uint8Array(32), strict)
  const own = {
    publicKey: SecretKey.publicKey(secretKey),
    signature: Signature.sign(secretKey, MESSAGE),
  }
  expect(Batch.verify(MESSAGE, [own, own])).toBe(true)
  expect(Signature.verify(PublicKey.aggregate([own.publicKey]), MESSAGE, own.signature)).toBe(true)
  expect(() => Batch.verify(MESSAGE, [own, entry])).toThrow('parsed again')
})
