import type { ProxyKind } from '@firn/evm'
import { fetchRows, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { keptFrom } from './Retention.ts'

/** What was known of a contract until the reading at a height, which changed it. */
interface Version {
  readonly height: bigint
  readonly proxy: ProxyKind | null
  readonly implementation: Uint8Array | null
  readonly beacon: Uint8Array | null
}

/** An event `Upgraded(address)`. */
interface Upgrade {
  readonly height: bigint
  readonly transactionIndex: number
  readonly logIndex: bigint
  readonly implementation: Uint8Array
}

/** A proxy and its implementations over time. */
export interface ProxyHistory {
  readonly address: Uint8Array
  readonly proxy: ProxyKind
  readonly implementation: Uint8Array | null
  readonly beacon: Uint8Array | null
  /** Former states, the oldest one first. */
  readonly versions: readonly Version[]
  /** Stored upgrades of the proxy or its beacon, the newest one first. All after the oldest one are included. */
  readonly upgrades: readonly Upgrade[]
  /** Height from which on former states are kept. */
  readonly keptFrom: bigint
}

/** A position in the chain: a log, or the start of a transaction. */
export interface ProxyPlace {
  readonly height: bigint
  readonly transactionIndex: number
  /** Index of the log; undefined for the start of the transaction. */
  readonly logIndex?: bigint
}

/** The implementation of a proxy at a position. */
export interface ProxyTarget {
  readonly kind: Exclude<ProxyKind, 'NONE'>
  readonly implementation: Uint8Array
  /**
   * What the implementation is known from. `code`: the code of a clone, which cannot change. `event`: the last event
   * `Upgraded` before the position. `reading`: the storage of the proxy, which was read at a block.
   */
  readonly basis: 'code' | 'event' | 'reading'
  /** Height of the event or of the reading; undefined if the height of the reading is not known. */
  readonly height: bigint | undefined
}

/** Number of logs of each proxy, and of upgrades of all contracts, that are examined. */
const MOST_EXAMINED = 300
const MOST_UPGRADES = 1_000
const MOST_VERSIONS = 100
const UPGRADED = Buffer.from('bc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b', 'hex')

/**
 * Returns the histories of the proxies among the given addresses, up to a height. A contract is a proxy if it is one at
 * the end of the chain.
 *
 * @example
 * ```ts
 * import { EvmProxies, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const contract: Uint8Array
 * const at = await store.snapshot()
 * const [history] = await EvmProxies.histories(store, at, [contract], at.height)
 * const place = { height: 42n, transactionIndex: 0 }
 * const target = history && EvmProxies.targetAt(history, place)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function histories(
  store: EvmStore,
  at: EvmSnapshot,
  addresses: readonly Uint8Array[],
  until: bigint,
): Promise<readonly ProxyHistory[]> {
  if (addresses.length === 0) return []
  const proxies = await fetchRows(
    store,
    sql<Omit<ProxyHistory, 'versions' | 'upgrades' | 'keptFrom'>>`${prepared}
      select address, proxy, implementation, beacon
      from unnest(${sql.val([...addresses])}::bytea[]) as given (address) join contract using (address)
      where since <= ${at.height} and proxy <> 'NONE'`,
  )
  if (proxies.length === 0) return []
  const [versions, upgrades] = await Promise.all([
    versionsOf(store, proxies),
    upgradesOf(store, proxies, until),
  ])
  // Versions may be removed while they are read, so this is read last.
  const kept = (await keptFrom(store, 'balances')) ?? 0n
  return proxies.map((proxy) => {
    const source = upgraderOf(proxy)
    return {
      ...proxy,
      versions: versions.get(String(proxy.address)) ?? [],
      upgrades: (source && upgrades.get(String(source))) ?? [],
      keptFrom: kept,
    }
  })
}

type Proxy = Pick<ProxyHistory, 'proxy' | 'address' | 'beacon'>

/** Returns the contract that emits the upgrades of a proxy; null if they are not known by events. */
function upgraderOf({ proxy, address, beacon }: Proxy): Uint8Array | null {
  return proxy === 'EIP-1967' ? address : proxy === 'EIP-1967-BEACON' ? beacon : null
}

async function versionsOf(store: EvmStore, proxies: readonly Proxy[]) {
  const rows = await fetchRows(
    store,
    sql<Version & { readonly contract: Uint8Array }>`${prepared} select v.* from
      unnest(${sql.val(proxies.map(({ address }) => address))}::bytea[]) as given (address)
      cross join lateral (select contract, height, proxy, implementation, beacon from contract_version
        where contract = given.address order by height desc limit ${MOST_VERSIONS}) as v order by height`,
  )
  return Map.groupBy(rows, ({ contract }) => String(contract))
}

/**
 * Reads the newest upgrades. No index leads to the upgrades of one contract, so the newest logs of each contract, and
 * the newest upgrades of all contracts, are examined.
 */
async function upgradesOf(store: EvmStore, proxies: readonly Proxy[], until: bigint) {
  const sources = proxies.map(upgraderOf).filter((source) => source !== null)
  if (sources.length === 0) return new Map<string, readonly Upgrade[]>()
  const columns = sql`height, log_index, transaction_index, address, topic0, topic1`
  const newest = sql`height <= ${until} order by height desc, log_index desc`
  const newestOf = (matches: RawBuilder<unknown>, limit: number, isUpgrade: RawBuilder<unknown>) =>
    sql`(select * from (select ${columns} from log where ${matches} and ${newest} limit ${limit}) as l where ${isUpgrade})`
  // Citus supports no lateral subquery with a limit for each contract, so each contract has its own.
  const parts = [
    newestOf(sql`topic0 = ${UPGRADED}`, MOST_UPGRADES, sql`l.address = any(${sql.val(sources)}::bytea[])`),
    ...sources.map((source) =>
      newestOf(sql`address = ${source}`, MOST_EXAMINED, sql`l.topic0 = ${UPGRADED}`),
    ),
  ]
  const rows = await fetchRows(
    store,
    sql<Upgrade & { readonly address: Uint8Array }>`
      select distinct u.address, u.height, u.log_index as "logIndex", u.transaction_index as "transactionIndex",
        substr(u.topic1, 13) as implementation
      from (${sql.join(parts, sql` union all `)}) as u
      where u.topic1 is not null order by u.height desc, u.log_index desc`,
  )
  return Map.groupBy(rows, ({ address }) => String(address))
}

/**
 * Returns the implementation of a proxy at a position, or undefined if it is not known. Of the last event and the last
 * reading before the position, the later one counts.
 *
 * @example
 * ```ts
 * import { EvmProxies } from '@firn/evm-store'
 *
 * declare const history: EvmProxies.ProxyHistory
 * const target = EvmProxies.targetAt(history, { height: 42n, transactionIndex: 0 })
 * ```
 */
export function targetAt(history: ProxyHistory, place: ProxyPlace): ProxyTarget | undefined {
  const { proxy, implementation, versions, upgrades } = history
  if (proxy === 'NONE') return undefined
  if (proxy === 'EIP-1167') {
    return implementation === null
      ? undefined
      : { kind: proxy, implementation, basis: 'code', height: undefined }
  }
  const event = upgrades.find((upgrade) => isBefore(upgrade, place))
  // A reading tells the state at the end of its block.
  const reading = versions.findLast(({ height }) => height < place.height)?.height
  if (event !== undefined && (reading === undefined || event.height >= reading)) {
    return { kind: proxy, implementation: event.implementation, basis: 'event', height: event.height }
  }
  const state = versions.find(({ height }) => height >= place.height) ?? history
  const isProxy = state.proxy !== null && state.proxy !== 'NONE'
  if (!isProxy || state.implementation === null || place.height < history.keptFrom) return undefined
  const { proxy: kind, implementation: read } = state as Version & { proxy: ProxyTarget['kind'] }
  return { kind, implementation: read as Uint8Array, basis: 'reading', height: reading }
}

function isBefore(upgrade: Upgrade, { height, transactionIndex, logIndex }: ProxyPlace): boolean {
  if (upgrade.height !== height) return upgrade.height < height
  return logIndex === undefined ? upgrade.transactionIndex < transactionIndex : upgrade.logIndex < logIndex
}
