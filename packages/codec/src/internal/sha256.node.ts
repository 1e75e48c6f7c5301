import { hash } from 'node:crypto'

/**
 * Returns the SHA-256, computed by the platform. This is five times as fast as the portable version for the bytes of a
 * transaction. The platform creates a string in half the time that it takes to create a buffer.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const text = hash('sha256', bytes, 'binary')
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i)
  return digest
}

/** Returns the last 4 bytes of the SHA-256 as a number. */
export function checksum(bytes: Uint8Array): number {
  return Number.parseInt(hash('sha256', bytes, 'hex').slice(-8), 16)
}
