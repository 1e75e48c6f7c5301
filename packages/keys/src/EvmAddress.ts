import { Hex } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { KeysError } from './KeysError.ts'

/** Length of an EVM address in bytes. */
export const LENGTH = 20
const TEXT = /^0x[0-9a-fA-F]{40}$/

/**
 * Formats an address as `0x` and 40 hexadecimal digits. The case of the letters encodes the ERC-55 checksum.
 * @throws KeysError `KEYS_EVM_ADDRESS`
 * @example
 * ```ts
 * import { EvmAddress } from '@firn/keys'
 *
 * EvmAddress.format(new Uint8Array(20).fill(0xab)) // '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'
 * ```
 */
export function format(address: Uint8Array): string {
  if (address.length !== LENGTH) {
    throw new KeysError('KEYS_EVM_ADDRESS', `EVM address: expected ${LENGTH} bytes, got ${address.length}`, {
      details: { expected: LENGTH, actual: address.length },
    })
  }
  const digits = Hex.encodeBare(address)
  const cases = Hex.encodeBare(keccak_256(new TextEncoder().encode(digits)))
  const isUpper = (index: number) => Number.parseInt(cases.charAt(index), 16) >= 8
  return `0x${Array.from(digits, (digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join('')}`
}

/**
 * Parses an address (20 bytes) from `0x` and 40 hexadecimal digits. The letters must be all lowercase, all
 * uppercase, or in mixed case with a valid ERC-55 checksum.
 * @throws KeysError `KEYS_EVM_ADDRESS`
 * @example
 * ```ts
 * import { EvmAddress } from '@firn/keys'
 *
 * EvmAddress.parse('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc').length // 20
 * ```
 */
export function parse(text: string): Uint8Array {
  if (!TEXT.test(text)) {
    throw new KeysError(
      'KEYS_EVM_ADDRESS',
      `EVM address: expected 0x followed by 40 hexadecimal digits, got "${text.slice(0, 64)}"`,
    )
  }
  const digits = text.slice(2)
  const address = Hex.decodeBare(digits.toLowerCase())
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (isOneCase || format(address) === text) return address
  throw new KeysError(
    'KEYS_EVM_ADDRESS',
    `EVM address: checksum mismatch, expected ${format(address)}, got ${text}`,
  )
}
