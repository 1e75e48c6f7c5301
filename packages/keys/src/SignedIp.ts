import { Bytes } from '@firn/codec'
import { KeysError } from './KeysError.ts'
import * as StakingCertificate from './StakingCertificate.ts'
import * as StakingKey from './StakingKey.ts'

/** Number of bytes that a node signs for its endpoint. */
export const LENGTH = 26
const V4_MAPPED_PREFIX = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)
const MAX_PORT = 0xffff
const MAX_TIMESTAMP = 0xffff_ffff_ffff_ffffn

/** An endpoint that a node claims as its own, without a signature. */
export interface UnsignedIp {
  /** IP address: 4 bytes for IPv4, 16 bytes for IPv6. */
  readonly address: Uint8Array
  /** Port number, an integer from 0 to 65535. */
  readonly port: number
  /** Time of signing in Unix seconds. */
  readonly timestamp: bigint
}

/**
 * Returns the 26 bytes that a node signs with its TLS key and its BLS key: the address as IPv6 (16 bytes,
 * IPv4 as `::ffff:a.b.c.d`), the port (2 bytes) and the timestamp (8 bytes).
 * @throws KeysError `KEYS_IP`
 * @example
 * ```ts
 * import { SignedIp } from '@firn/keys'
 *
 * const address = Uint8Array.of(203, 0, 113, 7)
 * SignedIp.unsignedBytes({ address, port: 9651, timestamp: 1_767_225_600n }).length // 26
 * ```
 */
export function unsignedBytes(ip: UnsignedIp): Uint8Array {
  const { address, port, timestamp } = ip
  assertRanges(ip)
  const bytes = Bytes.concat(
    address.length === 4 ? V4_MAPPED_PREFIX : new Uint8Array(0),
    address,
    new Uint8Array(10),
  )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  view.setUint16(16, port)
  view.setBigUint64(18, timestamp)
  return bytes
}

function assertRanges({ address, port, timestamp }: UnsignedIp): void {
  if (address.length !== 4 && address.length !== 16) {
    throw new KeysError('KEYS_IP', `endpoint: expected an address of 4 or 16 bytes, got ${address.length}`)
  }
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new KeysError('KEYS_IP', `endpoint: expected a port from 0 to ${MAX_PORT}, got ${port}`)
  }
  if (timestamp < 0n || timestamp > MAX_TIMESTAMP) {
    throw new KeysError('KEYS_IP', `endpoint: expected a timestamp from 0 to 2^64-1, got ${timestamp}`)
  }
}

/**
 * Signs an endpoint with a PKCS#8 DER key on P-256 and returns the TLS signature (ECDSA, DER).
 * @throws KeysError `KEYS_IP`, `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { SignedIp, StakingKey } from '@firn/keys'
 *
 * const ip = { address: Uint8Array.of(203, 0, 113, 7), port: 9651, timestamp: 1_767_225_600n }
 * const signature = SignedIp.sign(ip, StakingKey.create())
 * ```
 */
export function sign(ip: UnsignedIp, privateKey: Uint8Array): Uint8Array {
  return StakingKey.sign(unsignedBytes(ip), privateKey)
}

/**
 * Returns whether `signature` is a valid signature of the endpoint by the certificate's key and the timestamp
 * is at most `maxTimestamp` (Unix seconds). A node uses its own clock plus 60 seconds as the maximum.
 * @throws KeysError `KEYS_IP`
 * @example
 * ```ts
 * import { SignedIp, StakingCertificate } from '@firn/keys'
 *
 * const { der, privateKey } = StakingCertificate.create()
 * const ip = { address: Uint8Array.of(203, 0, 113, 7), port: 9651, timestamp: 1_767_225_600n }
 * const signature = SignedIp.sign(ip, privateKey)
 * SignedIp.verify(ip, signature, StakingCertificate.parse(der), 1_767_225_660n) // true
 * ```
 */
export function verify(
  ip: UnsignedIp,
  signature: Uint8Array,
  certificate: StakingCertificate.Certificate,
  maxTimestamp: bigint,
): boolean {
  const message = unsignedBytes(ip)
  return ip.timestamp <= maxTimestamp && StakingCertificate.checkSignature(certificate, message, signature)
}
