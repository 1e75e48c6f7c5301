import { Networks } from '@firn/genesis'
import type { Records } from '@firn/ledger'
import { type RawBuilder, sql } from 'kysely'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { behind, type PageQuery, type Place } from './Order.ts'
import * as TransactionUtxos from './TransactionUtxos.ts'

/** Whose rewards are asked for; both filters hold together, and one has to be there. */
export interface Filter {
  /** One of them gets the reward. */
  readonly addresses: readonly Uint8Array[] | undefined
  /** Validators that were staked on, 20 bytes each. */
  readonly nodeIds: readonly Uint8Array[] | undefined
}

/** A reward that was paid. */
export interface Paid extends Place {
  readonly utxo: TransactionUtxos.UtxoHistory
  /** The staker as it was when it was rewarded. */
  readonly staker: Records.Staker
}

/** A staker of the Primary Network, which has its place by when it leaves. */
export interface Leaving {
  readonly endTime: bigint
  readonly txId: Uint8Array
}

const PRIMARY = Networks.PRIMARY_NETWORK_ID

/** Rewards of the Primary Network in the order in which they were paid. */
export async function paid(store: Store, at: Snapshot, query: Filter & PageQuery): Promise<Paid[]> {
  const { nodeIds, order, limit } = query
  const conditions = [
    sql`utxo.source = 'P'`,
    sql`utxo.reward_tx_id is not null`,
    sql`utxo.height <= ${at.P.height}`,
  ]
  if (query.addresses !== undefined)
    conditions.push(sql`utxo.addresses && ${sql.val([...query.addresses])}::bytea[]`)
  if (nodeIds !== undefined) {
    conditions.push(sql`utxo.height = any(array(select until from ${sql.table('staker')}
      where subnet_id = ${PRIMARY} and node_id = any(${sql.val([...nodeIds])}::bytea[]) and until is not null))`)
  }
  const by = sql.raw(`order by height ${order}, ordinal ${order}`)
  const { rows } = await sql<Place & { readonly body: Uint8Array }>`
    select utxo.height, utxo.ordinal, rewarded.body
    from ${sql.table('utxo')} as utxo cross join lateral (${rewarded(nodeIds)}) as rewarded
    where ${sql.join(conditions, sql` and `)} and ${behind(['utxo.height', 'utxo.ordinal'], query)}
    ${by} limit ${limit}`.execute(store.db)
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
 * The staker for whom a reward was: what it was until then. The reward has its transaction's id, and that of an auto-renewed
 * validator the id of the proposal, which names the validator.
 */
function rewarded(nodeIds: readonly Uint8Array[] | undefined): RawBuilder<unknown> {
  const node = nodeIds === undefined ? sql`true` : sql`node_id = any(${sql.val([...nodeIds])}::bytea[])`
  return sql`select body from ${sql.table('staker')} as staker
    where staker.until = utxo.height and staker.subnet_id = ${PRIMARY} and ${node}
      and (staker.key = utxo.tx_id or exists (select 1 from ${sql.table('transaction')} as proposal
        where proposal.chain = 'P' and proposal.id = utxo.tx_id and proposal.name = 'RewardAutoRenewedValidatorTx'
          and position(staker.key in proposal.bytes) > 0)) limit 1`
}

/** The current stakers of the Primary Network in the order in which they leave, from a place on, itself included. */
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
  let rows = store.db
    .selectFrom('staker')
    .select('body')
    .where(holdsAt(at.P.height))
    .where('subnet_id', '=', PRIMARY)
    .where('status', '=', 'current')
    .orderBy('end_time', order)
    .orderBy('key', order)
    .limit(limit)
  if (addresses !== undefined) rows = rows.where(sql<boolean>`reward_addresses && ${[...addresses]}::bytea[]`)
  if (nodeIds !== undefined) rows = rows.where('node_id', '=', anyOf(nodeIds))
  if (from !== undefined)
    rows = rows.where(sql<boolean>`(end_time, key) ${sign} (${from.endTime}, ${from.txId})`)
  return (await rows.execute()).map(({ body }) => RecordCodec.staker.decode(body))
}
