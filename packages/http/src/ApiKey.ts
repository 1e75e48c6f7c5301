import { createHash, timingSafeEqual } from 'node:crypto'
import { HttpError } from './HttpError.ts'

/** Permissions of callers. A new key has all of them by default, and callers without a key have them too. */
export const CALLER_SCOPES = ['data', 'metrics', 'aggregate', 'usage', 'webhooks'] as const
export type CallerScope = (typeof CALLER_SCOPES)[number]

/** Permissions that a key can have. `admin`, for the endpoints for operators, follows from no other one. */
export const SCOPES = [...CALLER_SCOPES, 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Headers that may contain a key, in order of precedence. */
export const HEADERS = ['x-data-api-key', 'x-glacier-api-key'] as const

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
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { ApiKey } from '@firn/http'
 *
 * const key = ApiKey.generate(randomBytes) // 'firn_…'
 * ```
 */
export function generate(random: (bytes: number) => Uint8Array): string {
  const secret = random(SECRET_BYTES)
  return PREFIX + Buffer.concat([secret, checksum(secret)]).toString('base64url')
}

/**
 * Returns whether a text has the format and a valid checksum of a key.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * ApiKey.isWellFormed('firn_abc') // false
 * ```
 */
export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false
  const bytes = Buffer.from(key.slice(PREFIX.length), 'base64url')
  const [secret, given] = [bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)]
  return given.equals(checksum(secret))
}

/**
 * Returns the SHA-256 of a key, under which the key is stored.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * ApiKey.hash('firn_…').length // 32
 * ```
 */
export function hash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/**
 * Returns the first characters of a key. It is safe to show them.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * ApiKey.hint('firn_0123456789') // 'firn_012345'
 * ```
 */
export function hint(key: string): string {
  return key.slice(0, HINT)
}

/**
 * Returns the id of a stored key (16 hex characters). The id identifies the key without revealing its text.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * ApiKey.id({ hash: new Uint8Array(32) }) // '0000000000000000'
 * ```
 */
export function id({ hash }: Pick<StoredKey, 'hash'>): string {
  return Buffer.from(hash).subarray(0, ID_BYTES).toString('hex')
}

/**
 * Returns the one valid stored key that matches `text`: the whole key, its id, or a unique prefix of either
 * with at least eight characters. Only the first characters of a key are stored, so any further characters of
 * `text` are ignored.
 * @throws HttpError `HTTP_KEY` if the text is too short, or matches no key, several keys, or only a
 * revoked key
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * declare const stored: readonly ApiKey.StoredKey[]
 * const key = ApiKey.select('firn_1a2b3c4d', stored)
 * ```
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

function unclear(problem: string): HttpError {
  return new HttpError('HTTP_KEY', `${problem}. "firn keys list" shows all keys with their ids.`)
}

/**
 * Returns the stored key with the given text. Compares all keys in constant time, which keeps the response
 * time independent of the stored keys.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * declare const stored: readonly ApiKey.StoredKey[]
 * const key = ApiKey.find('firn_…', stored)
 * ```
 */
export function find(key: string, stored: readonly StoredKey[]): StoredKey | undefined {
  if (!isWellFormed(key)) return undefined
  const mine = hash(key)
  return stored.filter((one) => one.hash.length === mine.length && timingSafeEqual(one.hash, mine))[0]
}

/** The valid key of a request, or the reason why its key is not valid. Both are undefined for a request without a key. */
export interface Identity {
  readonly key?: StoredKey
  readonly problem?: string
}

/**
 * Returns the key that the headers of a request contain, or why it is not valid.
 * @param keys returns all stored keys, including revoked ones
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * await ApiKey.identify({ 'x-data-api-key': 'firn_abc' }, async () => []) // { problem: 'the API key has …' }
 * ```
 */
export async function identify(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  keys: () => Promise<readonly StoredKey[]>,
): Promise<Identity> {
  const sent = HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '')
  if (sent === undefined) return {}
  const text = String(sent)
  if (!isWellFormed(text)) {
    return { problem: 'the API key has an invalid length or checksum; check that it was copied completely' }
  }
  const key = find(text, await keys())
  if (key === undefined) return { problem: 'unknown API key; check that it belongs to this service' }
  return key.revokedAt === undefined ? { key } : { problem: 'the API key was revoked; use another key' }
}

/** Cache lifetime of the keys in milliseconds. It is short so that a revoked key stops working soon. */
const FRESH_MS = 5_000

/**
 * Returns a function that reads all stored keys and caches them for a few seconds. Concurrent callers share one read.
 * @param now returns milliseconds since an arbitrary start
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * const keys = ApiKey.createRing(async () => [], Date.now)
 * await keys() // []
 * ```
 */
export function createRing(
  read: () => Promise<readonly StoredKey[]>,
  now: () => number,
): () => Promise<readonly StoredKey[]> {
  let known: { readonly keys: Promise<readonly StoredKey[]>; readonly until: number } | undefined
  return () => {
    if (known === undefined || known.until <= now()) {
      const keys = read()
      known = { keys, until: now() + FRESH_MS }
      keys.catch(() => {
        known = undefined
      })
    }
    return known.keys
  }
}

/** A key as a row of a database. */
export interface Row {
  readonly hash: Uint8Array
  readonly hint: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly units_per_minute: number | null
  readonly units_per_day: number | null
  /** Unix seconds. */
  readonly created_at: bigint
  readonly revoked_at: bigint | null
}

/**
 * Returns the key that a row of a database contains. Unknown scopes are left out.
 * @example
 * ```ts
 * import { ApiKey } from '@firn/http'
 *
 * declare const row: ApiKey.Row
 * ApiKey.fromRow(row).scopes // ['data']
 * ```
 */
export function fromRow(row: Row): StoredKey {
  return {
    hint: row.hint,
    name: row.name,
    hash: row.hash,
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    unitsPerMinute: row.units_per_minute ?? undefined,
    unitsPerDay: row.units_per_day ?? undefined,
    createdAt: Number(row.created_at),
    revokedAt: row.revoked_at === null ? undefined : Number(row.revoked_at),
  }
}

function checksum(secret: Uint8Array): Buffer {
  return createHash('sha256').update(PREFIX).update(secret).digest().subarray(0, CHECKSUM_BYTES)
}
