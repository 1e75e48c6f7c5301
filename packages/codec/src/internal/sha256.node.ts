import { hash } from 'node:crypto'

/** SHA-256 by the platform: for the bytes of a transaction three times as fast as the portable one. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}

/** The last 4 bytes of the SHA-256, as a number. The platform makes a text in half the time in which it makes a buffer. */
export function checksum(bytes: Uint8Array): number {
  return Number.parseInt(hash('sha256', bytes, 'hex').slice(-8), 16)
}
