import { Hex } from '@firn/codec'
import { sha256 } from '@noble/hashes/sha2.js'

/** Returns a 32-byte hash as hexadecimal text, derived from `label`. For tests only. */
export function hashOf(label: string): string {
  return Hex.encode(sha256(new TextEncoder().encode(label)))
}

/** Returns a 20-byte address as hexadecimal text, derived from `label`. For tests only. */
export function addressOf(label: string): string {
  return hashOf(label).slice(0, 42)
}

/** Formats a JSON-RPC quantity. For tests only. */
export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

/** Formats numbers and hexadecimal addresses as ABI words. For tests only. */
export function words(...values: readonly (bigint | number | string)[]): string {
  const digits = values.map((value) =>
    (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0'),
  )
  return `0x${digits.join('')}`
}
