import { stat } from 'node:fs/promises'
import { Hex, Id } from '@firn/codec'
import type { PublicFetch } from '@firn/outbound'
import type { Clock, Logger } from '@firn/runtime'
import type { Currency } from './Currency.ts'
import * as MetadataFile from './MetadataFile.ts'
import type * as Schema from './MetadataSchema.ts'
import { createFilePrices, createHttpPrices, type PriceProvider } from './PriceProvider.ts'

/** What the operator's metadata file says about chains, addresses, subnets and assets. It changes with the file. */
export interface Metadata {
  /** Text that changes whenever an answer may change. */
  readonly revision: string
  chain(chainId: bigint): Schema.ChainEntry | undefined
  /** Returns the entry of an address (20 bytes) of a chain. */
  address(chainId: bigint, address: Uint8Array): Schema.AddressEntry | undefined
  subnet(subnetId: Uint8Array): Schema.SubnetEntry | undefined
  /** Returns the name of the price of an asset of the X-chain. */
  assetPriceId(assetId: Uint8Array): string | undefined
  /** Returns the current price of one unit, or undefined if it is unknown. */
  price(id: string | undefined, currency: Currency): number | undefined
  /** Returns the price at an earlier time in Unix seconds, or undefined if it is unknown. */
  priceAt(id: string | undefined, currency: Currency, time: bigint): number | undefined
  /** Descriptions of the current problems, such as a file that was made invalid. */
  readonly problems: readonly string[]
  close(): void
}

/** Options of {@link open}. */
export interface MetadataOptions {
  readonly path: string
  readonly fetch: PublicFetch.PublicFetch
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** Interval at which the file is examined for changes, in milliseconds. */
const LOOK_MS = 1_000
/** A former price holds for a day. */
const DAY = 86_400n

/**
 * Opens a metadata file. It is read again whenever it changes. While it is invalid, the contents before the change are
 * used.
 * @throws DataApiError `DATA_CONFIGURATION` if the file is invalid at the start
 */
export async function open({ path, fetch, clock, log }: MetadataOptions): Promise<Metadata> {
  const stop = new AbortController()
  const read = async () => index(await MetadataFile.read(path))
  let version = await versionOf(path)
  let contents = await read()
  let prices = providerOf(contents.prices, fetch, clock)
  let reloads = 0
  let problem: string | undefined
  const look = async () => {
    const found = await versionOf(path)
    if (found === version) return
    version = found
    try {
      const next = await read()
      if (JSON.stringify(next.prices) !== JSON.stringify(contents.prices)) {
        prices.close()
        prices = providerOf(next.prices, fetch, clock)
      }
      contents = next
      problem = undefined
      reloads++
      log.info({ path }, 'metadata reloaded')
    } catch (error) {
      problem = `${(error as Error).message}; the metadata before the change is used`
      log.warn({ path, reason: (error as Error).message }, 'metadata not reloaded')
    }
  }
  const run = async () => {
    while (true) {
      await clock.sleep(LOOK_MS, stop.signal)
      await look()
    }
  }
  // It rejects only when it is aborted.
  void run().catch(() => undefined)
  return {
    get revision() {
      return `${reloads}.${prices.revision}`
    },
    chain: (chainId) => contents.chains.get(String(chainId))?.entry,
    address: (chainId, address) =>
      contents.chains.get(String(chainId))?.addresses.get(Hex.encodeBare(address)),
    subnet: (subnetId) => contents.subnets.get(Id.format(subnetId)),
    assetPriceId: (assetId) => contents.assets.get(Id.format(assetId))?.priceId,
    price: (id, currency) => (id === undefined ? undefined : prices.price(id, currency)),
    priceAt: (id, currency, time) =>
      id === undefined ? undefined : formerPrice(contents.history.get(id), currency, time),
    get problems() {
      return [...(problem === undefined ? [] : [problem]), ...prices.problems]
    },
    close: () => {
      stop.abort()
      prices.close()
    },
  }
}

/** Returns the name of the price of a token. */
export function priceIdOf({ priceId, coingeckoCoinId }: Schema.AddressEntry): string | undefined {
  return priceId ?? coingeckoCoinId
}

type Point = Readonly<Record<string, number>> & { readonly timestamp: number }

/** Returns the contents of a file by key, with addresses in lower case and former prices by time. */
function index({ chains = {}, subnets = {}, assets = {}, prices = {} }: Schema.MetadataFile) {
  const history = prices.history as Readonly<Record<string, readonly Point[]>> | undefined
  return {
    chains: new Map(
      Object.entries(chains).map(([chainId, entry]) => [
        String(BigInt(chainId)),
        {
          entry,
          addresses: new Map(
            Object.entries(entry.addresses ?? {}).map(([key, about]) => [key.slice(2).toLowerCase(), about]),
          ),
        },
      ]),
    ),
    subnets: new Map(Object.entries(subnets)),
    assets: new Map(Object.entries(assets)),
    history: new Map(
      Object.entries(history ?? {}).map(([id, points]) => [
        id,
        points.toSorted((one, other) => one.timestamp - other.timestamp),
      ]),
    ),
    prices,
  }
}

function formerPrice(points: readonly Point[] = [], currency: Currency, time: bigint): number | undefined {
  const last = points.findLast(({ timestamp }) => BigInt(timestamp) <= time)
  return last !== undefined && time - BigInt(last.timestamp) < DAY ? last[currency] : undefined
}

function providerOf(
  { values, url, refreshSeconds }: Schema.PricesEntry,
  fetch: PublicFetch.PublicFetch,
  clock: Clock,
): PriceProvider {
  return url === undefined
    ? createFilePrices(values)
    : createHttpPrices({ url, refreshSeconds, fetch, clock })
}

/** Returns a text that changes with the file; also if the file is replaced or missing. */
async function versionOf(path: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(path, { bigint: true }).catch(() => MISSING)
  return `${ino} ${size} ${mtimeNs}`
}

const MISSING = { mtimeNs: 0n, size: 0n, ino: 0n }
