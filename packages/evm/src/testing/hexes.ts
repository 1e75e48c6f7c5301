import { Hex } from '@firn/codec'
import { sha256 } from '@noble/hashes/sha2.js'

/** Returns 32 bytes of hex derived from `label`. For tests only. */
export function hashOf(label: string): string {
  return Hex.encode(sha256(new TextEncoder().encode(label)))
}

/** Returns 20 bytes of hex derived from `label`. For tests only. */
export function addressOf(label: string): string {
  return hashOf(label).slice(0, 42)
}

/** Returns a JSON-RPC quantity. For tests only. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

/** Returns ABI words: numbers, and addresses as hex. For tests only. */
export function words(...values: readonly (bigint | number | string)[]): string {
  const digits = values.map((value) =>
    (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0'),
  )
  return `0x${digits.join('')}`
}
