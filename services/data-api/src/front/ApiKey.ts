import { createHash, timingSafeEqual } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'

/** The permissions of keys. */
export const SCOPES = ['data', 'metrics', 'aggregate', 'usage'] as const
export type Scope = (typeof SCOPES)[number]

/** A key in its stored form, without its text. */
export interface StoredKey {
  /** The first characters of the key, by which people recognize it. */
  readonly hint: string
  readonly name: string
  /** SHA-256 of the whole key, 32 bytes. */
  readonly hash: Uint8Array
  readonly scopes: readonly Scope[]
  /** Compute units per minute and day; undefined for the defaults of the service. */
  readonly unitsPerMinute: number | undefined
  readonly unitsPerDay: number | undefined
  /** Unix seconds. */
  readonly createdAt: number
  readonly revokedAt: number | undefined
}

const PREFIX = 'firn_'
/** Minimum length of a prefix that names a key or an id. */
const LEAST = 8
const ID_BYTES = 8
const SECRET_BYTES = 32
const CHECKSUM_BYTES = 4
const FORM = /^firn_[A-Za-z0-9_-]{48}$/
const HINT = PREFIX.length + 6

/**
 * Returns the text of a new key: prefix, 256 random bits and a checksum, so that a truncated or mistyped one
 * is detected without a lookup.
 */
export function generate(random: (bytes: number) => Uint8Array): string {
  const secret = random(SECRET_BYTES)
  return PREFIX + Buffer.concat([secret, checksum(secret)]).toString('base64url')
}

/** Returns true for a text with the form and the checksum of a key. */
export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false
  const bytes = Buffer.from(key.slice(PREFIX.length), 'base64url')
  const [secret, given] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return given.equals(checksum(secret))
}

/** Returns the hash under which a key is stored. */
export function hash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/** Returns the part of a key that may be shown. */
export function hint(key: string): string {
  return key.slice(0, HINT)
}

/** Returns the id of a stored key, 16 hex characters, by which it can be named without knowing its text. */
export function id({ hash }: Pick<StoredKey, 'hash'>): string {
  return Buffer.from(hash).subarray(0, ID_BYTES).toString('hex')
}

/**
 * Returns the only stored key that is not revoked and that a text names: the whole key, its id, or a unique
 * prefix of either of at least eight characters. Only the first characters of a key are stored, so a longer
 * prefix is compared by these.
 * @throws DataApiError `DATA_PARAMETER`: the text is too short, or names no key, a revoked one, or several
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
    throw unclear(`${[key, ...others].map(describe).join(' and ')} start alike; pass the id of one`)
  }
  const [revoked] = named
  throw unclear(
    revoked === undefined ? 'no key has this text, id or prefix' : `${describe(revoked)} is already revoked`,
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
 * Returns the stored key of a text. Every key is compared in constant time, so that timing reveals nothing
 * about any.
 */
export function find(key: string, stored: readonly StoredKey[]): StoredKey | undefined {
  if (!isWellFormed(key)) return undefined
  const mine = hash(key)
  return stored.filter((one) => one.hash.length === mine.length && timingSafeEqual(one.hash, mine))[0]
}

function checksum(secret: Uint8Array): Buffer {
  return createHash('sha256').update(PREFIX).update(secret).digest().subarray(0, CHECKSUM_BYTES)
}
