import { Hex } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import { EvmAddress, PublicKey } from './index.ts'
import { codeOf, readVectors } from './testing/vectors.ts'

interface PublicKeyCase {
  readonly name: string
  readonly bytes: string
  readonly ok: boolean
  readonly address: string
  readonly ethAddress: string
}

describe('PublicKey with recorded keys', () => {
  it.each(readVectors<PublicKeyCase>('keys', 'parsePublicKey'))(
    'makes the same decision as the node about the recorded key "$name" (valid: $ok)',
    ({ bytes, ok, address, ethAddress }) => {
      if (!ok) {
        expect(codeOf(() => PublicKey.decode(Hex.decode(bytes)))).toBe('KEYS_PUBLIC_KEY')
        return
      }
      const publicKey = PublicKey.decode(Hex.decode(bytes))
      expect(Hex.encode(PublicKey.address(publicKey))).toBe(address)
      expect(EvmAddress.format(PublicKey.evmAddress(publicKey))).toBe(ethAddress)
    },
  )

  it.each([0, 32, 65])('rejects a public key of %i bytes when deriving an address', (length) => {
    expect(codeOf(() => PublicKey.address(new Uint8Array(length)))).toBe('KEYS_PUBLIC_KEY')
    expect(codeOf(() => PublicKey.evmAddress(new Uint8Array(length)))).toBe('KEYS_PUBLIC_KEY')
  })
})
