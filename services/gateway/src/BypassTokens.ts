import { createHash } from 'node:crypto'
import { BypassTokens as Stored, type UsageStore } from '@firn/store'
import type { GatewayLog } from './GatewayLog.ts'

/** A token that lifts the limits of its holder's address. */
export interface BypassToken {
  readonly name: string
  /** Credits per second, shared by all holders; undefined for no limit. */
  readonly creditsPerSecond: number | undefined
}

/** The valid tokens. */
export interface BypassTokens {
  find(text: string): BypassToken | undefined
  close(): void
}

/** How long the tokens are cached, so that a revoked one ends soon. */
const FRESH_MS = 5_000
const SECRET_BYTES = 32
const PREFIX = 'firnrl_'
const HINT = PREFIX.length + 6
const NAME = /^[\x21-\x7e]{1,64}$/

/** Returns true for a valid token name: usage shows the name, never the token. */
export function isTokenName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Creates a token and returns its text, which is not stored.
 * @throws StoreError `STORE_QUERY`: a valid token has this name
 */
export async function createBypassToken(
  store: UsageStore,
  { name, creditsPerSecond }: BypassToken,
  random: (bytes: number) => Uint8Array,
  time: number,
): Promise<string> {
  const text = PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64url')
  await Stored.add(store, {
    hash: createHash('sha256').update(text).digest(),
    hint: text.slice(0, HINT),
    name,
    credits_per_second: creditsPerSecond ?? null,
    created_at: BigInt(time),
    revoked_at: null,
  })
  return text
}

/**
 * Opens the tokens of a store, which are read again every few seconds; while the database is unavailable, the
 * last ones remain valid.
 * @throws StoreError if the first read fails
 */
export async function openBypassTokens(store: UsageStore, log: GatewayLog): Promise<BypassTokens> {
  let known = await read(store)
  let isReading = false
  const timer = setInterval(async () => {
    if (isReading) return
    isReading = true
    try {
      known = await read(store)
    } catch (error) {
      log.warn({ err: error }, 'bypass tokens could not be read; keeping the previous ones')
    } finally {
      isReading = false
    }
  }, FRESH_MS)
  timer.unref()
  return {
    // Looked up by the hash of the input, so that timing reveals nothing about any token.
    find: (text) => known.get(createHash('sha256').update(text).digest('hex')),
    close: () => clearInterval(timer),
  }
}

async function read(store: UsageStore): Promise<ReadonlyMap<string, BypassToken>> {
  const rows = (await Stored.list(store)).filter(({ revoked_at }) => revoked_at === null)
  return new Map(
    rows.map(({ hash, name, credits_per_second }) => [
      Buffer.from(hash).toString('hex'),
      { name, creditsPerSecond: credits_per_second ?? undefined },
    ]),
  )
}
