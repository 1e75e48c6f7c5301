import { hash } from 'node:crypto'

/**
 * Returns the SHA-256, computed by the platform. This is three times as fast as the portable version for the
 * bytes of a transaction.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}

/**
 * Returns the last 4 bytes of the SHA-256 as a number. The platform creates a string in half the time that it
 * takes to create a buffer.
 */
export function checksum(bytes: Uint8Array): number {
  return Number.parseInt(hash('sha256', bytes, 'hex').slice(-8), 16)
}
