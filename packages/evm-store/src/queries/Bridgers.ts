import { Hex } from '@firn/codec'
import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import type { LogFilter } from './Logs.ts'
import type { Holder } from './TokenHolders.ts'

/** `Mint(address to, uint256 amount, address feeAddress, uint256 feeAmount, bytes32 originTxId, uint256 originOutputIndex)` */
const MINT = Hex.decode('0xc5532043e6f3d77e1c320ff59bd4157ca9075ef59f6b55ceab6c3f7d2f78c9ca')
/** `Unwrap(uint256 amount, uint256 chainId)`, which follows the transfer to the zero address that burns the amount. */
const UNWRAP = Hex.decode('0x37a06799a3500428a773d00284aa706101f5ad94dae9ec37e1c3773aa54c3304')
/** `MigrateBridgeRole(address newBridgeRoleAddress)` */
const MIGRATE = Hex.decode('0x871b00a4e20f8436702d0174eb87d84d7cd1dd5c34d4bb1b4e75438b3398d512')
/** `Transfer(address from, address to, uint256 value)` */
const TRANSFER = Hex.decode('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const NOBODY = new Uint8Array(32)
/** The output index of a mint for which no output of a Bitcoin transaction was locked. */
const NO_OUTPUT = new Uint8Array(32).fill(0xff)

/**
 * Returns the filter of all logs from which {@link page} computes what was bridged.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBridgers } from '@firn/evm-store'
 *
 * const filter = EvmBridgers.logsOf(Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50'))
 * ```
 */
export function logsOf(contract: Uint8Array): LogFilter {
  return { addresses: [contract], topics: [[MINT, UNWRAP, MIGRATE, TRANSFER]] }
}

/** The bridgers of a token after a block. */
export interface Bridged {
  /** A token of the Avalanche bridge for Bitcoin. Its amounts are less than 2^63. */
  readonly contract: Uint8Array
  /** Height of a block. Later blocks are ignored. */
  readonly height: bigint
}

/** Parameters of {@link page}. */
export interface Query extends Bridged {
  /** Not negative. */
  readonly threshold: bigint
  /** Last address of the previous page; undefined for the first page. */
  readonly after: Holder | undefined
  readonly limit: number
}

/**
 * Returns the addresses that have bridged more than a threshold from Bitcoin, net, with these net amounts. They are sorted
 * by amount, highest first, and then by address.
 *
 * The net amount of an address is what was minted to it for outputs of Bitcoin transactions, minus what it has burned to
 * get bitcoins back: by `unwrap`, and since the contract first migrated its bridge role, by any burn, because redemptions
 * by its new minter emit no `Unwrap`. Fees are minted to others and do not count.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBridgers, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50')
 * const query = { contract, height: 42n, threshold: 1_000_000n, after: undefined, limit: 25 }
 * const bridgers = await EvmBridgers.page(store, query)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { threshold, after, limit } = query
  const isAbove = sql`sum(m.amount) > ${String(threshold)}::numeric`
  const place =
    after === undefined
      ? sql`true`
      : sql`(- sum(m.amount), m.address) > (${String(-after.balance)}::numeric, ${after.address}::bytea)`
  return select(store, query, {
    candidates: isAbove,
    result: sql`having ${isAbove} and ${place} order by - sum(m.amount), m.address limit ${limit}`,
  })
}

/** Parameters of {@link within}: a range of addresses, both inclusive. */
export interface RangeQuery extends Bridged {
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/**
 * Returns the addresses in a range that have bridged a positive amount from Bitcoin, net, with these amounts.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBridgers, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50')
 * const range = { first: new Uint8Array(20), last: new Uint8Array(20).fill(1) }
 * const bridgers = await EvmBridgers.within(store, { contract, height: 42n, ...range })
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function within(store: EvmStore, query: RangeQuery): Promise<readonly Holder[]> {
  const { first, last } = query
  return select(store, query, {
    candidates: sql`sum(m.amount) > 0 and m.address >= ${first}::bytea and m.address <= ${last}::bytea`,
    result: sql`having sum(m.amount) > 0`,
  })
}

/** The conditions of the addresses that may be in a list, and the clauses that select those that are. */
interface Selection {
  readonly candidates: RawBuilder<unknown>
  readonly result: RawBuilder<unknown>
}

async function select(
  store: EvmStore,
  bridged: Bridged,
  { candidates, result }: Selection,
): Promise<readonly Holder[]> {
  const migrated = await migratedAt(store, bridged)
  const rows = sql`with candidate as materialized (select m.address, sum(m.amount) as amount
      from (${minted(bridged)} union all ${unwrapped(bridged, migrated)}) as m group by m.address having ${candidates})
    select m.address, sum(m.amount) as balance
    from (select * from candidate union all ${burned(bridged, migrated)}) as m group by m.address ${result}`
  return fetchRows(store, rows as RawBuilder<Holder>)
}

/** Returns the height at which the bridge role was first migrated, or a later height than the block's if it was not. */
async function migratedAt(store: EvmStore, { contract, height }: Bridged): Promise<bigint> {
  const row = await fetchFirst(
    store,
    sql<{ height: bigint | null }>`select min(l.height) as height from log as l
      where l.topic0 = ${MIGRATE}::bytea and l.address = ${contract}::bytea and l.height <= ${height}`,
  )
  return row?.height ?? height + 1n
}

function minted({ contract, height }: Bridged): RawBuilder<unknown> {
  return sql`select substr(l.data, 13, 20) as address, ${amount(sql`l.data`, 33)} as amount from log as l
    where l.topic0 = ${MINT}::bytea and l.address = ${contract}::bytea and l.height <= ${height}
      and substr(l.data, 161, 32) <> ${NO_OUTPUT}::bytea`
}

function unwrapped({ contract }: Bridged, migrated: bigint): RawBuilder<unknown> {
  return sql`select substr(b.topic1, 13) as address, - ${amount(sql`b.data`, 1)} as amount
    from log as l join log as b on b.height = l.height and b.log_index = l.log_index - 1 and ${isBurn(contract)}
    where l.topic0 = ${UNWRAP}::bytea and l.address = ${contract}::bytea and l.height < ${migrated}`
}

/** Selects what candidates have burned since the migration. Their burns are found by the index of the first topic. */
function burned({ contract, height }: Bridged, migrated: bigint): RawBuilder<unknown> {
  return sql`select c.address, - ${amount(sql`b.data`, 1)} as amount from candidate as c
    join log as b on substr(b.topic1, 25) = substr(c.address, 13) and b.topic1 is not null
      and substr(b.topic1, 13) = c.address and ${isBurn(contract)}
    where b.height >= ${migrated} and b.height <= ${height}`
}

function isBurn(contract: Uint8Array): RawBuilder<unknown> {
  return sql`b.address = ${contract}::bytea and b.topic0 = ${TRANSFER}::bytea and b.topic2 = ${NOBODY}::bytea`
}

/** Returns the number in the word of 32 bytes that starts at a position. All bitcoins together are less than 2^63. */
function amount(data: RawBuilder<unknown>, position: number): RawBuilder<unknown> {
  return sql`('x' || encode(substr(${data}, ${sql.lit(position + 24)}, 8), 'hex'))::bit(64)::int8`
}
