import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { blst } from './blst.ts'
import type { Engine } from './Engine.ts'
import { ProofOfPossession, PublicKey, SecretKey, Signature, Signer } from './index.ts'
import { noble } from './noble.ts'

interface Case {
  readonly name: string
  readonly kind: string
  readonly ok?: boolean
  readonly valid?: boolean
  readonly suite?: 'signature' | 'proofOfPossession'
  readonly bytes?: string
  readonly [field: string]: unknown
}

const file = new URL('../vectors/bls.json.gz', import.meta.url)
const cases: readonly Case[] = JSON.parse(gunzipSync(readFileSync(file)).toString())

const bytesOf = (value: unknown): Uint8Array => Hex.decode(value as `0x${string}`)
const listOf = (value: unknown): Uint8Array[] => (value as string[]).map(bytesOf)
const hexOf = (value: { readonly compressed: Uint8Array }): string => Hex.encode(value.compressed)

/** Returns whether the reference could decompress the point, even if it rejected it afterwards. */
const isDecompressed = ({ error }: Case) => !String(error).startsWith("couldn't decompress")

/** The check for each kind of case in the vector file. */
const checks: Readonly<Record<string, (vector: Case, engine: Engine) => void>> = {
  key(vector, engine) {
    const secretKey = SecretKey.decode(bytesOf(vector['secretKey']), engine)
    const publicKey = SecretKey.publicKey(secretKey)
    expect(hexOf(publicKey)).toBe(vector['publicKey'])
    expect(Hex.encode(publicKey.uncompressed)).toBe(vector['publicKeyUncompressed'])
    expect(hexOf(ProofOfPossession.sign(secretKey))).toBe(vector['proofOfPossession'])
    const { publicKey: key, proofOfPossession } = vector
    expect(Signer.create(secretKey)).toEqual({ publicKey: key, proofOfPossession })
  },
  parseSecretKey(vector, engine) {
    const parse = () => SecretKey.decode(bytesOf(vector.bytes), engine)
    if (vector.ok) expect(hexOf(SecretKey.publicKey(parse()))).toBe(vector['publicKey'])
    else expect(parse).toThrow(expect.objectContaining({ code: 'BLS_SECRET_KEY' }))
  },
  keyGen(vector, engine) {
    const secretKey = SecretKey.generate(bytesOf(vector['ikm']), engine)
    expect(Hex.encode(secretKey.bytes)).toBe(vector['secretKey'])
    expect(hexOf(SecretKey.publicKey(secretKey))).toBe(vector['publicKey'])
  },
  sign(vector, engine) {
    const secretKey = SecretKey.decode(bytesOf(vector['secretKey']), engine)
    const message = bytesOf(vector['message'])
    expect(hexOf(Signature.sign(secretKey, message))).toBe(vector['signature'])
    expect(hexOf(ProofOfPossession.sign(secretKey, message))).toBe(vector['signaturePoP'])
  },
  verify(vector, engine) {
    const verify = vector.suite === 'signature' ? Signature.verify : ProofOfPossession.verify
    const verdict = () =>
      verify(
        PublicKey.decode(bytesOf(vector['publicKey']), engine),
        bytesOf(vector['message']),
        Signature.decode(bytesOf(vector['signature']), engine),
      )
    // Cases whose key is the point at infinity have no expected result, because parsing the key fails.
    if (vector.name.startsWith('infinity key')) expect(verdict).toThrow()
    else expect(verdict()).toBe(vector.valid)
  },
  aggregate(vector, engine) {
    const publicKeys = listOf(vector['publicKeys']).map((bytes) => PublicKey.decode(bytes, engine))
    const signatures = listOf(vector['signatures']).map((bytes) => Signature.decode(bytes, engine))
    const publicKey = PublicKey.aggregate(publicKeys)
    const signature = Signature.aggregate(signatures)
    expect(hexOf(publicKey)).toBe(vector['aggregatePublicKey'])
    expect(hexOf(signature)).toBe(vector['aggregateSignature'])
    expect(Signature.verify(publicKey, bytesOf(vector['message']), signature)).toBe(vector.valid)
  },
  aggregateError(vector) {
    const aggregate = () => ('publicKeys' in vector ? PublicKey.aggregate([]) : Signature.aggregate([]))
    expect(aggregate).toThrow(expect.objectContaining({ code: 'BLS_EMPTY_AGGREGATE' }))
  },
  parsePublicKey(vector, engine) {
    expect(PublicKey.isPoint(bytesOf(vector.bytes))).toBe(isDecompressed(vector))
    const parse = () => PublicKey.decode(bytesOf(vector.bytes), engine)
    if (!vector.ok) return expect(parse).toThrow(expect.objectContaining({ code: 'BLS_PUBLIC_KEY' }))
    expect(hexOf(parse())).toBe(vector['compressed'])
    expect(Hex.encode(parse().uncompressed)).toBe(vector['uncompressed'])
  },
  parseSignature(vector, engine) {
    expect(Signature.isPoint(bytesOf(vector.bytes))).toBe(isDecompressed(vector))
    const parse = () => Signature.decode(bytesOf(vector.bytes), engine)
    if (vector.ok) expect(hexOf(parse())).toBe(vector['compressed'])
    else expect(parse).toThrow(expect.objectContaining({ code: 'BLS_SIGNATURE' }))
  },
}

describe.each([blst, noble] as const)('reference vectors on $name', (engine) => {
  for (const kind of new Set(cases.map((vector) => vector.kind))) {
    if (kind === 'note') continue
    // Signing is noble's slowest operation, so noble runs only every fourth case.
    const step = engine === noble && kind === 'sign' ? 4 : 1
    const ofKind = cases.filter((vector) => vector.kind === kind).filter((_, index) => index % step === 0)
    test(`returns the reference result for ${kind} (${ofKind.length} cases)`, () => {
      for (const vector of ofKind) checks[kind]?.(vector, engine)
      expect(checks).toHaveProperty(kind)
    })
  }
})
