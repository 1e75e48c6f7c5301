import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blst } from './blst.ts'
import type { Engine } from './Engine.ts'
import { Batch, ProofOfPossession, PublicKey, SecretKey, Signature } from './index.ts'
import { noble } from './noble.ts'

const { Fp, Fp2 } = bls12_381.fields
const INFINITY = Uint8Array.of(0xc0)

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const material = bytes(32)
const message = fc.uint8Array({ maxLength: 64 })

/**
 * Generates encoded coordinates below or above the modulus, with any flags. Some points are on the curve, but
 * almost none are in the subgroup.
 */
const coordinates = (count: number) =>
  fc
    .tuple(fc.array(fc.bigInt(0n, Fp.ORDER + 2n), { minLength: count, maxLength: count }), fc.nat(7))
    .map(([values, flags]) => {
      const out = new Uint8Array(48 * count)
      values.forEach((value, index) => {
        out.set(Fp.toBytes(value % Fp.ORDER), 48 * index)
        // Fp.toBytes accepts only canonical values, so values from p on are encoded directly.
        if (value >= Fp.ORDER) out.set(raw(value), 48 * index)
      })
      out[0] = ((out[0] as number) & 0x1f) | (flags << 5)
      return out
    })

function raw(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 48 }, (_, i) => Number((value >> BigInt(8 * (47 - i))) & 0xffn))
}

/** Generates copies of a valid encoding, unchanged or with one bit flipped. */
const turned = (valid: fc.Arbitrary<Uint8Array>) =>
  fc.tuple(valid, fc.option(fc.nat(767))).map(([original, bit]) => {
    const out = original.slice()
    if (bit !== null) {
      const index = (bit >> 3) % out.length
      out[index] = (out[index] as number) ^ (1 << (bit & 7))
    }
    return out
  })

/** Generates encodings of the point at infinity, with or without garbage after the flags. */
const infinities = (length: number) =>
  fc.tuple(fc.constantFrom(0xc0, 0xe0, 0x40, 0x80), fc.option(fc.nat(length - 1))).map(([flags, spot]) => {
    const out = new Uint8Array(length)
    out[0] = flags
    if (spot !== null) out[spot] = (out[spot] as number) | 1
    return out
  })

const secretOf = (seed: Uint8Array, engine: Engine) => SecretKey.generate(seed, engine)
const validKey = material.map((seed) => SecretKey.publicKey(secretOf(seed, blst)).compressed)
const validSignature = fc
  .tuple(material, message)
  .map(([seed, signed]) => Signature.sign(secretOf(seed, blst), signed).compressed)

/** Returns the parsed bytes, or the error code if parsing fails. */
function outcome(parse: () => { readonly compressed: Uint8Array; readonly uncompressed?: Uint8Array }) {
  try {
    const { compressed, uncompressed } = parse()
    return { compressed, uncompressed }
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('accepts the same public keys in every engine', () => {
  const any = fc.oneof(
    turned(validKey),
    coordinates(1),
    infinities(48),
    bytes(48),
    fc.uint8Array({ maxLength: 97 }),
  )
  fc.assert(
    fc.property(any, (input) => {
      const before = input.slice()
      const result = outcome(() => PublicKey.decode(input, noble))
      expect(outcome(() => PublicKey.decode(input, blst))).toEqual(result)
      if (typeof result !== 'string') expect(result.compressed).toEqual(input)
      expect(input).toEqual(before)
    }),
    { numRuns: 400 },
  )
})

test('accepts the same signatures in every engine', () => {
  const any = fc.oneof(
    turned(validSignature),
    coordinates(2),
    infinities(96),
    bytes(96),
    fc.uint8Array({ maxLength: 193 }),
  )
  fc.assert(
    fc.property(any, (input) => {
      const result = outcome(() => Signature.decode(input, noble))
      expect(outcome(() => Signature.decode(input, blst))).toEqual(result)
      if (typeof result !== 'string') expect(result.compressed).toEqual(input)
    }),
    { numRuns: 300 },
  )
})

test('rejects the same points outside the subgroup in every engine', () => {
  let onCurve = 0
  fc.assert(
    fc.property(fc.bigInt(0n, Fp.ORDER - 1n), fc.bigInt(0n, Fp.ORDER - 1n), (c0, c1) => {
      const x = { c0, c1 }
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), { c0: 4n, c1: 4n })
      const encoded = new Uint8Array([...raw(c1), ...raw(c0)])
      encoded[0] = (encoded[0] as number) | 0x80
      if (Fp.pow(Fp.add(Fp.sqr(square.c0), Fp.sqr(square.c1)), (Fp.ORDER - 1n) / 2n) === 1n) onCurve++
      expect(blst.parseSignature(encoded)).toBe(null)
      expect(noble.parseSignature(encoded)).toBe(null)
    }),
    { numRuns: 120 },
  )
  expect(onCurve).toBeGreaterThan(0)
})

test('accepts the same secret keys in every engine', () => {
  const order = bls12_381.fields.Fr.ORDER
  const near = fc.bigInt(-3n, 3n).map((offset) => raw(order + offset).slice(16))
  const any = fc.oneof(bytes(32), near, fc.constant(new Uint8Array(32)), fc.uint8Array({ maxLength: 40 }))
  fc.assert(
    fc.property(any, (input) => {
      const parse = (engine: Engine) => outcome(() => SecretKey.publicKey(SecretKey.decode(input, engine)))
      expect(parse(blst)).toEqual(parse(noble))
    }),
    { numRuns: 60 },
  )
})

test('creates the same signatures in every engine, and gives the same result in every engine when it verifies them', () => {
  const flaw = fc.constantFrom('none', 'message', 'key', 'negated', 'domain', 'infinity')
  fc.assert(
    fc.property(material, message, flaw, fc.boolean(), (seed, signed, kind, possession) => {
      const scheme = possession ? ProofOfPossession : Signature
      const other = possession ? Signature : ProofOfPossession
      const verdicts = ([blst, noble] as const).map((engine) => {
        const secretKey = secretOf(seed, engine)
        const { compressed } = (kind === 'domain' ? other : scheme).sign(secretKey, signed)
        const given = compressed.slice()
        if (kind === 'negated') given[0] = (given[0] as number) ^ 0x20
        if (kind === 'infinity') given.fill(0).set(INFINITY)
        const key =
          kind === 'key'
            ? SecretKey.generate(
                seed.map((byte) => byte ^ 1),
                engine,
              )
            : secretKey
        const claimed = kind === 'message' ? Uint8Array.of(...signed, 0) : signed
        const verdict = scheme.verify(SecretKey.publicKey(key), claimed, Signature.decode(given, engine))
        return { compressed, verdict }
      })
      expect(verdicts[0]).toEqual(verdicts[1])
      expect(verdicts[0]?.verdict).toBe(kind === 'none')
    }),
    { numRuns: 24 },
  )
})

test('aggregates keys and signatures to the same result in every engine, even if they cancel each other', () => {
  const signers = fc.array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 6 })
  const signed = Uint8Array.of(1)
  const negate = (encoded: Uint8Array, flip: boolean) =>
    encoded.map((byte, index) => (index === 0 && flip ? byte ^ 0x20 : byte))
  fc.assert(
    fc.property(signers, (list) => {
      const results = ([blst, noble] as const).map((engine) => {
        const entries = list.map(([signer, flip]) => {
          const secretKey = secretOf(new Uint8Array(32).fill(signer), blst)
          return {
            publicKey: PublicKey.decode(negate(SecretKey.publicKey(secretKey).compressed, flip), engine),
            signature: Signature.decode(negate(Signature.sign(secretKey, signed).compressed, flip), engine),
          }
        })
        const publicKey = PublicKey.aggregate(entries.map((entry) => entry.publicKey))
        const signature = Signature.aggregate(entries.map((entry) => entry.signature))
        return {
          publicKey: publicKey.compressed,
          uncompressed: publicKey.uncompressed,
          signature: signature.compressed,
          verdict: Signature.verify(publicKey, signed, signature),
          plain: Batch.verify(signed, entries, 'none'),
        }
      })
      expect(results[0]).toEqual(results[1])
      expect(results[0]?.plain).toBe(results[0]?.verdict)
    }),
    { numRuns: 14 },
  )
})

test('reports exactly the bad entries in findInvalid', () => {
  const pool = Array.from({ length: 24 }, (_, signer) => {
    const secretKey = secretOf(new Uint8Array(32).fill(signer), blst)
    const publicKey = SecretKey.publicKey(secretKey)
    const good = { publicKey, signature: Signature.sign(secretKey, Uint8Array.of(1)) }
    return { good, bad: { publicKey, signature: Signature.sign(secretKey, Uint8Array.of(2)) } }
  })
  const flaws = fc.array(fc.tuple(fc.nat(23), fc.boolean()), { maxLength: 30 })
  fc.assert(
    fc.property(flaws, (list) => {
      const entries = list.map(([signer, bad]) => (pool[signer] as (typeof pool)[0])[bad ? 'bad' : 'good'])
      const expected = list.flatMap(([, bad], index) => (bad ? [index] : []))
      expect(Batch.findInvalid(Uint8Array.of(1), entries)).toEqual(expected)
      expect(Batch.verify(Uint8Array.of(1), entries)).toBe(expected.length === 0 && list.length > 0)
    }),
    { numRuns: 25 },
  )
})
