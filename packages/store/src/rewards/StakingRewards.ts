import { Networks } from '@firn/genesis'
import type { Records } from '@firn/ledger'
import { fetchRecords, fetchRows, orderBy, type PageQuery, type Place, pageBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import * as TransactionUtxos from '../utxos/history.ts'

/**
 * The filters of a page of rewards. At least one filter is required, and a reward must match all given
 * filters.
 */
export interface Filter {
  /** Addresses that were rewarded; undefined for any address. */
  readonly addresses: readonly Uint8Array[] | undefined
  /** Node ids of the rewarded validators, 20 bytes each. */
  readonly nodeIds: readonly Uint8Array[] | undefined
}

/** A reward that was paid. */
export interface Paid extends Place {
  readonly utxo: TransactionUtxos.UtxoHistory
  /** The staker as it was when it was rewarded. */
  readonly staker: Records.Staker
}

/** The position of a staker in the order in which staking periods end. */
export interface Leaving {
  readonly endTime: bigint
  readonly txId: Uint8Array
}

const PRIMARY = Networks.PRIMARY_NETWORK_ID

/**
 * Returns rewards of the Primary Network in the order in which they were paid.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { StakingRewards, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const query = { after: undefined, order: 'desc', limit: 25 } as const
 * const paid = await StakingRewards.paid(store, at, { ...query, addresses: [address], nodeIds: undefined })
 * ```
 */
export async function paid(store: Store, at: Snapshot, query: Filter & PageQuery): Promise<Paid[]> {
  const { nodeIds } = query
  const conditions = [
    sql`utxo.source = 'P'`,
    sql`utxo.reward_tx_id is not null`,
    sql`utxo.height <= ${at.P.height}`,
  ]
  if (query.addresses !== undefined)
    conditions.push(sql`utxo.addresses && ${sql.val([...query.addresses])}::bytea[]`)
  if (nodeIds !== undefined) {
    conditions.push(sql`utxo.height = any(array(select until from staker
      where subnet_id = ${PRIMARY} and node_id = any(${sql.val([...nodeIds])}::bytea[]) and until is not null))`)
  }
  const [isBehind, order] = pageBy([sql`utxo.height`, sql`utxo.ordinal`], query)
  const rows = await fetchRows(
    store,
    sql<Place & { readonly body: Uint8Array }>`
    select utxo.height, utxo.ordinal, rewarded.body
    from utxo as utxo cross join lateral (${rewarded(nodeIds)}) as rewarded
    where ${sql.join(conditions, sql` and `)} and ${isBehind} ${order}`,
  )
  const places = rows.map(({ height, ordinal }) => ({ source: 'P', height, ordinal }) as const)
  const utxos = places.length === 0 ? [] : await TransactionUtxos.atPlaces(store, at, places)
  const keyOf = ({ height, ordinal }: Place) => `${height}.${ordinal}`
  const byPlace = new Map(utxos.map((utxo) => [keyOf(utxo), utxo]))
  return rows.flatMap(({ height, ordinal, body }) => {
    const utxo = byPlace.get(keyOf({ height, ordinal }))
    return utxo === undefined ? [] : [{ height, ordinal, utxo, staker: RecordCodec.staker.decode(body) }]
  })
}

/**
 * Selects the staker for which a reward was paid, as it was before the payment. The transaction id of a reward's UTXO
 * is the id of the staker's transaction. For an auto-renewed validator, it is the id of the proposal, which contains
 * the staker's id.
 */
function rewarded(nodeIds: readonly Uint8Array[] | undefined): RawBuilder<unknown> {
  const node = nodeIds === undefined ? sql`true` : sql`node_id = any(${sql.val([...nodeIds])}::bytea[])`
  return sql`select body from staker as staker
    where staker.until = utxo.height and staker.subnet_id = ${PRIMARY} and ${node}
      and (staker.key = utxo.tx_id or exists (select 1 from transaction as proposal
        where proposal.chain = 'P' and proposal.id = utxo.tx_id and proposal.name = 'RewardAutoRenewedValidatorTx'
          and position(staker.key in proposal.bytes) > 0)) limit 1`
}

/**
 * Returns the current stakers of the Primary Network in the order in which their staking periods end, starting at a
 * position (inclusive).
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { StakingRewards, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const page = { from: undefined, order: 'asc', limit: 25 } as const
 * const stakers = await StakingRewards.stakers(store, at, { ...page, addresses: undefined, nodeIds: [nodeId] })
 * ```
 */
export async function stakers(
  store: Store,
  at: Snapshot,
  {
    addresses,
    nodeIds,
    from,
    order,
    limit,
  }: Filter & {
    readonly from: Leaving | undefined
    readonly order: PageQuery['order']
    readonly limit: number
  },
): Promise<Records.Staker[]> {
  const sign = order === 'asc' ? sql`>=` : sql`<=`
  const conditions = [holdsAt(at.P.height), sql`subnet_id = ${PRIMARY} and status = 'current'`]
  if (addresses !== undefined) conditions.push(sql`reward_addresses && ${sql.val([...addresses])}::bytea[]`)
  if (nodeIds !== undefined) conditions.push(sql`node_id = ${anyOf(nodeIds)}`)
  if (from !== undefined) conditions.push(sql`(end_time, key) ${sign} (${from.endTime}, ${from.txId})`)
  return fetchRecords(
    store,
    RecordCodec.staker,
    sql`select body from staker where ${sql.join(conditions, sql` and `)}
      ${orderBy([sql`end_time`, sql`key`], order)} limit ${limit}`,
  )
}
