import { describe, expect, test } from 'vitest'
import { blst } from './blst.ts'
import { Batch, PublicKey, SecretKey, Signature } from './index.ts'
import { noble } from './noble.ts'

const MESSAGE = Uint8Array.of(1, 2, 3)
const entries = [1, 2, 3].map((seed) => {
  const secretKey = SecretKey.generate(new Uint8Array(32).fill(seed), blst)
  return { publicKey: SecretKey.publicKey(secretKey), signature: Signature.sign(secretKey, MESSAGE) }
})

describe.each([blst, noble])('restore with the engine $name', (engine) => {
  const restored = entries.map(({ publicKey, signature }) => ({
    publicKey: PublicKey.restore(publicKey.uncompressed, engine),
    signature: Signature.restore(Signature.uncompress(signature), engine),
  }))

  test('returns the same keys and signatures', () => {
    for (const [index, { publicKey, signature }] of restored.entries()) {
      expect(publicKey.compressed).toEqual(entries[index]?.publicKey.compressed)
      expect(signature.compressed).toEqual(entries[index]?.signature.compressed)
      expect(Signature.uncompress(signature)).toHaveLength(Signature.UNCOMPRESSED_SIZE)
    }
  })

  test('returns values that verify and aggregate like decoded ones', () => {
    expect(Batch.verify(MESSAGE, restored)).toBe(true)
    expect(Batch.findInvalid(Uint8Array.of(9), restored)).toEqual([0, 1, 2])
    const publicKey = PublicKey.aggregate(restored.map((entry) => entry.publicKey))
    const signature = Signature.aggregate(restored.map((entry) => entry.signature))
    expect(Signature.verify(publicKey, MESSAGE, signature)).toBe(true)
    expect(Signature.uncompress(signature)).toEqual(Signature.uncompress(sumOfAll()))
  })

  test('keeps the point at infinity, which never verifies', () => {
    const infinity = Signature.decode(Uint8Array.of(0xc0, ...new Uint8Array(95)), engine)
    const same = Signature.restore(Signature.uncompress(infinity), engine)
    expect(same.compressed).toEqual(infinity.compressed)
    const [first] = entries as [(typeof entries)[0]]
    expect(Batch.verify(MESSAGE, [{ ...first, signature: same }])).toBe(false)
  })
})

test('rejects bytes of another length', () => {
  const [compressedKey, compressed] = [new Uint8Array(48), new Uint8Array(96)]
  const error = (code: string) => expect.objectContaining({ code })
  expect(() => PublicKey.restore(compressedKey)).toThrow(error('BLS_PUBLIC_KEY'))
  expect(() => Signature.restore(compressed)).toThrow(error('BLS_SIGNATURE'))
})

function sumOfAll(): Signature.Signature {
  return Signature.aggregate(entries.map((entry) => entry.signature))
}
