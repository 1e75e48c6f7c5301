import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { StakingKey } from './index.ts'
import { codeOf } from './testing/vectors.ts'

const key = StakingKey.create({ seed: new Uint8Array(32).fill(3) })
const message = new TextEncoder().encode('what is signed')

function opensslKey(curve: string): Uint8Array {
  return generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'der' })
}

describe('StakingKey', () => {
  it('encodes a key to the same bytes as OpenSSL', () => {
    const loaded = createPrivateKey({ key: StakingKey.formatPem(key), format: 'pem' })
    expect(new Uint8Array(loaded.export({ type: 'pkcs8', format: 'der' }))).toEqual(key)
    expect(key.length).toBe(138)
  })

  it('decodes keys that OpenSSL created', () => {
    const pkcs8 = opensslKey('prime256v1')
    expect(StakingKey.encode(StakingKey.decode(pkcs8))).toEqual(new Uint8Array(pkcs8))
  })

  it('creates signatures that OpenSSL verifies', () => {
    const publicKey = createPublicKey({ key: StakingKey.formatPem(key), format: 'pem' })
    expect(verify('sha256', message, publicKey, StakingKey.sign(message, key))).toBe(true)
    expect(sign('sha256', message, StakingKey.formatPem(key)).length).toBeLessThanOrEqual(72)
  })

  it("restores a staking key from the key's PEM", () => {
    expect(StakingKey.parsePem(StakingKey.formatPem(key))).toEqual(key)
  })

  const changed = (offset: number, value: number) =>
    key.map((byte, index) => (index === offset ? value : byte))
  it.each([
    ['no bytes', new Uint8Array(0)],
    ['a trailing byte', Uint8Array.of(...key, 0)],
    ['a missing byte', key.subarray(0, -1)],
    ['another version', changed(5, 1)],
    ['another curve', opensslKey('secp384r1')],
    ['secp256k1', opensslKey('secp256k1')],
    ['another version of the inner key', changed(33, 2)],
    ['a scalar of zero', Uint8Array.of(...key.subarray(0, 36), ...new Uint8Array(32), ...key.subarray(68))],
    ['a public key that does not match', changed(137, (key[137] ?? 0) ^ 1)],
  ])('rejects a staking key with %s', (_name, bytes) => {
    expect(codeOf(() => StakingKey.decode(bytes))).toBe('KEYS_STAKING_KEY')
  })

  it('rejects out-of-range scalars and seeds that are too short', () => {
    expect(codeOf(() => StakingKey.encode(new Uint8Array(31)))).toBe('KEYS_STAKING_KEY')
    expect(codeOf(() => StakingKey.encode(new Uint8Array(32).fill(0xff)))).toBe('KEYS_STAKING_KEY')
    expect(codeOf(() => StakingKey.create({ seed: new Uint8Array(15) }))).toBe('KEYS_STAKING_KEY')
  })
})
