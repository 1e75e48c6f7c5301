import { createHash } from 'node:crypto'
import { BypassTokens as Stored, type UsageStore } from '@firn/service-store'
import type { GatewayLog } from '../GatewayLog.ts'

/** A token that exempts its holder from the rate limit per address. It can have a separate limit. */
export interface BypassToken {
  readonly name: string
  /** Credits per second for all holders of the token together. If undefined, they are not limited. */
  readonly creditsPerSecond: number | undefined
}

/** Finds valid bypass tokens. */
export interface BypassTokens {
  find(text: string): BypassToken | undefined
  close(): void
}

/** Cache lifetime of the tokens. It is short so that a revoked token stops working soon. */
const FRESH_MS = 5_000
const SECRET_BYTES = 32
const PREFIX = 'firnrl_'
const HINT = PREFIX.length + 6
const NAME = /^[\x21-\x7e]{1,64}$/

/**
 * Returns whether a text is a valid token name. Usage statistics show the name and never the token itself.
 */
export function isTokenName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Creates a bypass token and returns its text. Only a hash of the text is stored. `time` is the current time in Unix
 * seconds.
 * @throws StoreError `STORE_QUERY` if a valid token with this name exists
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
 * Reads the bypass tokens from a store, and reads them again every few seconds. While the database is
 * unavailable, the tokens of the last successful read are used.
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
      log.warn({ err: error }, 'cannot read bypass tokens; keeping the previous ones')
    } finally {
      isReading = false
    }
  }, FRESH_MS)
  timer.unref()
  return {
    // The lookup uses a hash of the input, so response times reveal nothing about the stored tokens.
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
