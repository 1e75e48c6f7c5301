import { createHash, timingSafeEqual } from 'node:crypto'

/** What a key may be used for. */
export const SCOPES = ['data', 'metrics', 'aggregate', 'usage'] as const
export type Scope = (typeof SCOPES)[number]

/** A key as it is kept: never its text. */
export interface StoredKey {
  /** The first characters of the key, by which people tell keys apart. */
  readonly hint: string
  readonly name: string
  /** SHA-256 of the whole key, 32 bytes. */
  readonly hash: Uint8Array
  readonly scopes: readonly Scope[]
  /** Compute units a minute and a day; undefined: those of the service. */
  readonly unitsPerMinute: number | undefined
  readonly unitsPerDay: number | undefined
  /** Unix seconds. */
  readonly createdAt: number
  readonly revokedAt: number | undefined
}

const PREFIX = 'firn_'
const SECRET_BYTES = 32
const CHECKSUM_BYTES = 4
const FORM = /^firn_[A-Za-z0-9_-]{48}$/
const HINT = PREFIX.length + 6

/** The text of a new key: prefix, 256 random bits and a checksum, so that a cut or mistyped one is told without a look-up. */
export function generate(random: (bytes: number) => Uint8Array): string {
  const secret = random(SECRET_BYTES)
  return PREFIX + Buffer.concat([secret, checksum(secret)]).toString('base64url')
}

/** True for a text that has the form and the checksum of a key. */
export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false
  const bytes = Buffer.from(key.slice(PREFIX.length), 'base64url')
  const [secret, given] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return given.equals(checksum(secret))
}

/** What is kept of a key's text. */
export function hash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/** The part of a key that may be shown. */
export function hint(key: string): string {
  return key.slice(0, HINT)
}

/**
 * The stored key that a text is of. Every one is compared, each in constant time, so that timing tells nothing about any.
 */
export function find(key: string, stored: readonly StoredKey[]): StoredKey | undefined {
  if (!isWellFormed(key)) return undefined
  const mine = hash(key)
  return stored.filter((one) => one.hash.length === mine.length && timingSafeEqual(one.hash, mine))[0]
}

function checksum(secret: Uint8Array): Buffer {
  return createHash('sha256').update(PREFIX).update(secret).digest().subarray(0, CHECKSUM_BYTES)
}
