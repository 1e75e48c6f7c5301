import { isJsonObject } from '@firn/codec'
import { ContentType, type PublicFetch } from '@firn/outbound'
import { type Clock, silentLogger, supervise } from '@firn/runtime'
import { CURRENCIES, type Currency } from './Currency.ts'
import type { PricesEntry } from './MetadataSchema.ts'

/** Source of current prices. */
export interface PriceProvider {
  /** Text that changes whenever a price changes. */
  readonly revision: string
  /** Returns the price of one unit, or undefined if it is unknown. */
  price(id: string, currency: Currency): number | undefined
  /** Descriptions of the current problems. */
  readonly problems: readonly string[]
  close(): void
}

/** Maximum number of prices in a document. */
const MAX_PRICES = 10_000
/** Largest price in any currency. Larger numbers are mistakes. */
const MAX_PRICE = 1e15
/** Number of refreshes that may fail until the last prices are too old to use. */
const REFRESHES_UNTIL_STALE = 10
const DEFAULT_REFRESH_SECONDS = 60

type Prices = ReadonlyMap<string, Readonly<Record<string, number>>>

/** Creates a provider of the prices in a metadata file. */
export function createFilePrices(values: PricesEntry['values'] = {}): PriceProvider {
  const prices: Prices = new Map(Object.entries(values as Record<string, Record<string, number>>))
  return {
    revision: '',
    price: (id, currency) => prices.get(id)?.[currency],
    problems: [],
    close: () => {},
  }
}

/** Options of {@link createHttpPrices}. */
export interface HttpPriceOptions {
  readonly url: string
  readonly refreshSeconds?: number | undefined
  readonly fetch: PublicFetch.PublicFetch
  readonly clock: Clock
}

/**
 * Creates a provider that requests prices from a server again and again. The document has the format of CoinGecko's
 * `/simple/price`: `{"avalanche-2":{"usd":20.5}}`. While requests fail, the last prices are used for ten intervals.
 */
export function createHttpPrices({ url, fetch, clock, refreshSeconds }: HttpPriceOptions): PriceProvider {
  const refreshMs = (refreshSeconds ?? DEFAULT_REFRESH_SECONDS) * 1_000
  const stop = new AbortController()
  let prices: Prices = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let changes = 0
  let failure: string | undefined
  const isStale = () => clock.now() - readAt > REFRESHES_UNTIL_STALE * refreshMs
  const refresh = async () => {
    const fetched = await fetch(new URL(url), undefined, stop.signal)
    const parsed = 'failure' in fetched ? fetched.failure : parse(fetched)
    if (typeof parsed === 'string') {
      failure = parsed
      return
    }
    failure = undefined
    readAt = clock.now()
    if (isSame(prices, parsed)) return
    prices = parsed
    changes++
  }
  const step = async () => {
    await refresh()
    await clock.sleep(refreshMs, stop.signal)
  }
  const report = (problem: string | undefined) => {
    if (problem !== undefined) failure = problem
  }
  const loop = { effect: 'an unexpected error', clock, random: Math.random, log: silentLogger, report }
  void supervise(step, loop, stop.signal)
  return {
    get revision() {
      return `${changes}${isStale() ? ' stale' : ''}`
    },
    price: (id, currency) => (isStale() ? undefined : prices.get(id)?.[currency]),
    get problems() {
      if (failure === undefined) return []
      const effect = isStale() ? 'answers have no prices' : 'the last prices are used'
      return [`prices cannot be read from ${new URL(url).host} (${failure}); ${effect}`]
    },
    close: () => stop.abort(),
  }
}

/** Parses a document with prices, or returns what is wrong with it. Unknown currencies are ignored. */
function parse({
  bytes,
  contentType,
}: {
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
}) {
  const document = parseJson(ContentType.decode(bytes, contentType))
  if (!isJsonObject(document)) return 'not a JSON object'
  const entries = Object.entries(document)
  if (entries.length > MAX_PRICES) return `more than ${MAX_PRICES} prices`
  return new Map(entries.map(([id, given]) => [id, moneyOf(given)]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function moneyOf(given: unknown): Readonly<Record<string, number>> {
  const money = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  return Object.fromEntries(
    CURRENCIES.flatMap((code) => {
      const value = Object.hasOwn(money, code) ? money[code] : undefined
      return typeof value === 'number' && value >= 0 && value <= MAX_PRICE ? [[code, value]] : []
    }),
  )
}

function isSame(one: Prices, other: Prices): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other])
}
