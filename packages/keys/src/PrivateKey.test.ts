import { Address, Hex, ShortId } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { EvmAddress, PrivateKey, PublicKey } from './index.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface KeyCase {
  readonly name: string
  readonly ok: boolean
  readonly bytes: string
  readonly string: string
  readonly publicKey: string
  readonly publicKeyUncompressed: string | { readonly panic: string }
  readonly address: string
  readonly addressCB58: string
  readonly ethAddress: string
  readonly bech32: Readonly<Record<string, string>>
}

const keys = readVectors<KeyCase>('keys', 'privateKey')

describe('PrivateKey with recorded keys', () => {
  it.each(keys.filter((key) => key.ok))(
    'derives the public key and the addresses of the private key $name $bytes',
    (key) => {
      const privateKey = PrivateKey.decode(Hex.decode(key.bytes))
      const publicKey = PrivateKey.publicKey(privateKey)
      const address = PublicKey.address(publicKey)
      expect(PrivateKey.format(privateKey)).toBe(key.string)
      expect(Hex.encode(publicKey)).toBe(key.publicKey)
      if (typeof key.publicKeyUncompressed === 'string') {
        expect(Hex.encode(PublicKey.uncompress(publicKey))).toBe(key.publicKeyUncompressed)
      } else {
        expect(codeOf(() => PublicKey.uncompress(publicKey))).toBe('KEYS_PUBLIC_KEY')
      }
      expect(Hex.encode(address)).toBe(key.address)
      expect(ShortId.format(address)).toBe(key.addressCB58)
      expect(EvmAddress.format(PublicKey.evmAddress(publicKey))).toBe(key.ethAddress)
      for (const [name, text] of Object.entries(key.bech32)) {
        const { hrp } = Address.parse(text)
        expect(Address.format({ chain: name.slice(0, 1), hrp, payload: address })).toBe(text)
      }
    },
  )

  it.each(keys.filter((key) => !key.ok))('rejects the recorded private key: $name', (key) => {
    expect(codeOf(() => PrivateKey.decode(Hex.decode(key.bytes)))).toBe('KEYS_PRIVATE_KEY')
  })
})

interface TextCase {
  readonly name: string
  readonly text: string
  readonly json: string
  readonly ok: boolean
  readonly bytes?: string
}

describe('PrivateKey.parse with recorded strings', () => {
  it.each(readVectors<TextCase>('keys', 'parsePrivateKey'))(
    'makes the same decision as the node about the recorded key "$name" (valid: $ok)',
    ({ text, ok, bytes }) => {
      if (ok) expect(Hex.encode(PrivateKey.parse(text))).toBe(bytes)
      else expect(codeOf(() => PrivateKey.parse(text))).toBe('KEYS_PRIVATE_KEY')
    },
  )

  it.each(readVectors<TextCase>('keys', 'parsePrivateKeyJSON'))(
    'makes the same decision as the node about the JSON $json (valid: $ok)',
    ({ json, ok }) => {
      const code = codeOf(() => PrivateKey.parseJson(json))
      expect(code).toBe(ok ? undefined : 'KEYS_PRIVATE_KEY')
    },
  )

  it('distinguishes an invalid checksum from invalid cb58, and attaches no cause that could show the key', () => {
    const text = PrivateKey.format(new Uint8Array(32).fill(7))
    const swapped = text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`
    const failure = (given: string): readonly unknown[] => {
      try {
        return [PrivateKey.parse(given)]
      } catch (error) {
        return error instanceof Error ? [error.message, error.cause] : [error]
      }
    }
    expect(failure(swapped)).toEqual([expect.stringContaining('checksum mismatch'), undefined])
    expect(failure(`${PrivateKey.PREFIX}0`)).toEqual([
      expect.stringContaining('expected cb58 after'),
      undefined,
    ])
  })

  it('parses a quoted private key or null from JSON', () => {
    const text = PrivateKey.format(new Uint8Array(32).fill(7))
    expect(PrivateKey.parseJson(`"${text}"`)).toEqual(new Uint8Array(32).fill(7))
    expect(PrivateKey.parseJson('null')).toBeNull()
  })
})

describe('PrivateKey.random', () => {
  it('returns the first random candidate that is at least 1 and below the group order', () => {
    const candidates = [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(32).fill(9)]
    expect(PrivateKey.random(() => candidates.shift() ?? new Uint8Array(0))).toEqual(
      new Uint8Array(32).fill(9),
    )
    expect(PrivateKey.random()).not.toEqual(PrivateKey.random())
  })
})
