import { inspect } from 'node:util'
import { Bytes } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { PublicKey, SecretKey, Signature } from './index.ts'

const keyOf = (seed: number) => SecretKey.generate(new Uint8Array(32).fill(seed))
const MESSAGE = Uint8Array.of(1, 2, 3)

describe('SecretKey', () => {
  test('uses the given random source for a secret key', () => {
    const secretKey = SecretKey.random((length) => new Uint8Array(length).fill(5))
    expect(secretKey.bytes).toEqual(keyOf(5).bytes)
    expect(SecretKey.random().bytes).not.toEqual(SecretKey.random().bytes)
  })

  test('shows a secret key as an empty object when it is printed', () => {
    const secretKey = keyOf(1)
    expect(inspect(secretKey)).toBe('{}')
    expect(JSON.stringify(secretKey)).toBe('{}')
  })

  test('refuses to generate a secret key from less than 32 bytes of key material', () => {
    const generate = () => SecretKey.generate(new Uint8Array(31))
    expect(generate).toThrow(expect.objectContaining({ code: 'BLS_KEY_MATERIAL' }))
  })
})

test('sorts public keys by their uncompressed bytes', () => {
  const keys = Array.from({ length: 16 }, (_, seed) => SecretKey.publicKey(keyOf(seed)))
  const ordered = keys.toSorted(PublicKey.compare)
  for (let i = 1; i < ordered.length; i++) {
    const [before, after] = [ordered[i - 1], ordered[i]] as [PublicKey.PublicKey, PublicKey.PublicKey]
    expect(Bytes.compare(before.uncompressed, after.uncompressed)).toBe(-1)
  }
  expect(ordered).not.toEqual(keys.toSorted((a, b) => Bytes.compare(a.compressed, b.compressed)))
})

test('shares no memory between parsed values, the input bytes and the returned bytes', () => {
  const secretKey = keyOf(1)
  const publicKey = SecretKey.publicKey(secretKey)
  const signature = Signature.sign(secretKey, MESSAGE)
  // These are Buffers, because the `slice` method of a Buffer does not copy the bytes.
  const sources = [secretKey.bytes, publicKey.compressed, signature.compressed].map((b) => Buffer.from(b))
  const [a, b, c] = sources as [Buffer, Buffer, Buffer]
  const parsed = [SecretKey.decode(a).bytes, PublicKey.decode(b).compressed, Signature.decode(c).compressed]
  for (const source of sources) source.fill(0)
  PublicKey.encode(publicKey).fill(0)
  Signature.encode(signature).fill(0)
  expect(parsed).toEqual([secretKey.bytes, publicKey.compressed, signature.compressed])
  expect(publicKey.compressed.some((byte) => byte !== 0)).toBe(true)
})
