import { createHash, timingSafeEqual } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'

/** Permissions that a key can have. */
export const SCOPES = ['data', 'metrics', 'aggregate', 'usage', 'webhooks'] as const
export type Scope = (typeof SCOPES)[number]

/** A stored key, without its text. */
export interface StoredKey {
  /** First characters of the key, which help people to recognize it. */
  readonly hint: string
  readonly name: string
  /** SHA-256 of the whole key (32 bytes). */
  readonly hash: Uint8Array
  readonly scopes: readonly Scope[]
  /** Compute units per minute; undefined for the service's default. */
  readonly unitsPerMinute: number | undefined
  readonly unitsPerDay: number | undefined
  /** Time of creation, in Unix seconds. */
  readonly createdAt: number
  readonly revokedAt: number | undefined
}

const PREFIX = 'firn_'
/** Minimum length of a prefix that selects a key. */
const LEAST = 8
const ID_BYTES = 8
const SECRET_BYTES = 32
const CHECKSUM_BYTES = 4
const FORM = /^firn_[A-Za-z0-9_-]{48}$/
const HINT = PREFIX.length + 6

/**
 * Generates the text of a new key from a prefix, 256 random bits and a checksum. The checksum detects
 * truncated or mistyped keys without a lookup.
 */
export function generate(random: (bytes: number) => Uint8Array): string {
  const secret = random(SECRET_BYTES)
  return PREFIX + Buffer.concat([secret, checksum(secret)]).toString('base64url')
}

/** Returns whether a text has the format and a valid checksum of a key. */
export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false
  const bytes = Buffer.from(key.slice(PREFIX.length), 'base64url')
  const [secret, given] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return given.equals(checksum(secret))
}

/** Returns the SHA-256 of a key, under which the key is stored. */
export function hash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/** Returns the first characters of a key. It is safe to show them. */
export function hint(key: string): string {
  return key.slice(0, HINT)
}

/**
 * Returns the id of a stored key (16 hex characters). The id identifies the key without revealing its text.
 */
export function id({ hash }: Pick<StoredKey, 'hash'>): string {
  return Buffer.from(hash).subarray(0, ID_BYTES).toString('hex')
}

/**
 * Returns the one valid stored key that matches `text`: the whole key, its id, or a unique prefix of either
 * with at least eight characters. Only the first characters of a key are stored, so any further characters of
 * `text` are ignored.
 * @throws DataApiError `DATA_PARAMETER` if the text is too short, or matches no key, several keys, or only a
 * revoked key
 */
export function select(text: string, stored: readonly StoredKey[]): StoredKey {
  if (text.length < LEAST) {
    throw unclear(`expected at least ${LEAST} characters of a key or of its id, got ${text.length}`)
  }
  const exact = find(text, stored)
  const named = exact === undefined ? stored.filter((key) => isNamedBy(text, key)) : [exact]
  const [key, ...others] = named.filter(({ revokedAt }) => revokedAt === undefined)
  if (key !== undefined && others.length === 0) return key
  if (key !== undefined) {
    throw unclear(
      `${[key, ...others].map(describe).join(' and ')} have the same prefix; pass the id of one of them`,
    )
  }
  const [revoked] = named
  throw unclear(
    revoked === undefined ? 'no stored key matches this text' : `${describe(revoked)} is already revoked`,
  )
}

function isNamedBy(text: string, key: StoredKey): boolean {
  return id(key).startsWith(text) || key.hint.startsWith(text.slice(0, key.hint.length))
}

function describe(key: StoredKey): string {
  return `${key.hint}… (id ${id(key)}, ${key.name})`
}

function unclear(problem: string): DataApiError {
  return new DataApiError('DATA_PARAMETER', `${problem}. "firn keys list" shows all keys with their ids.`)
}

/**
 * Returns the stored key with the given text. Compares all keys in constant time, which keeps the response
 * time independent of the stored keys.
 */
export function find(key: string, stored: readonly StoredKey[]): StoredKey | undefined {
  if (!isWellFormed(key)) return undefined
  const mine = hash(key)
  return stored.filter((one) => one.hash.length === mine.length && timingSafeEqual(one.hash, mine))[0]
}

function checksum(secret: Uint8Array): Buffer {
  return createHash('sha256').update(PREFIX).update(secret).digest().subarray(0, CHECKSUM_BYTES)
}
