import { createHash, timingSafeEqual } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'

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
/** Characters that a beginning of a key or an id needs to name a key. */
const LEAST = 8
const ID_BYTES = 8
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

/** Returns the id of a stored key, 16 hex characters, by which it can be named without knowing its text. */
export function id({ hash }: Pick<StoredKey, 'hash'>): string {
  return Buffer.from(hash).subarray(0, ID_BYTES).toString('hex')
}

/**
 * Returns the one stored key that is not revoked and that a text names: the whole key, its id, or a unique beginning of either of at least
 * eight characters. Of a key only its first characters are stored, so that a longer beginning is compared by these.
 * @throws DataApiError `DATA_PARAMETER`: the text is too short, names no key, a revoked one, or several
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
    throw unclear(`${[key, ...others].map(describe).join(' and ')} begin alike; pass the id of one`)
  }
  const [revoked] = named
  throw unclear(
    revoked === undefined
      ? 'no key has this text, id or beginning'
      : `${describe(revoked)} is revoked already`,
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
