import { type ChainAlias, Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { fetchRows, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { containingBlock } from '../internal/containingBlock.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** An output with its history as of a snapshot. */
export interface UtxoHistory {
  readonly id: Uint8Array
  /** Chain that can spend the output; `source` is the chain that produced it. */
  readonly chain: ChainAlias
  readonly source: ChainAlias
  /** Height at which `source` produced the output. */
  readonly height: bigint
  /** Position among the outputs of that height. */
  readonly ordinal: number
  /** Time of the chain `source` after that block, in Unix seconds. */
  readonly time: bigint
  /**
   * Block that contains the transaction `txId`; for a reward, the transaction that paid it. Its height differs from the
   * output's if an option block decided on the transaction, or if the output is a returned stake.
   */
  readonly block: BlockPlace
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly assetId: Uint8Array
  readonly output: Records.Output
  /** Amount of the output; 0 for outputs without an amount. */
  readonly amount: bigint
  readonly origin: Records.UtxoOrigin
  readonly consumed: Consumed | undefined
}

/** Height of a block, and its time in Unix seconds. */
export interface BlockPlace {
  readonly height: bigint
  readonly time: bigint
}

/** The transaction that consumed an output, with the block that contains the transaction. */
export interface Consumed extends BlockPlace {
  readonly txId: Uint8Array
}

/**
 * Returns the outputs that transactions produced, including rewards and refunds, sorted by transaction id and index.
 *
 * @example
 * ```ts
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * declare const txId: Uint8Array
 * const at = await store.snapshot()
 * const outputs = await Utxos.made(store, at, [txId])
 * ```
 */
export async function made(store: Store, at: Snapshot, txIds: readonly Uint8Array[]): Promise<UtxoHistory[]> {
  return select(store, at, sql`tx_id = any(${sql.val([...txIds])}::bytea[])`)
}

/** The outputs that transactions produced and consumed. */
export interface Touched {
  readonly made: readonly UtxoHistory[]
  readonly consumed: readonly UtxoHistory[]
}

/**
 * Returns the outputs that transactions consumed and produced, including rewards and refunds, sorted by transaction
 * id and index.
 *
 * @example
 * ```ts
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * declare const txId: Uint8Array
 * const at = await store.snapshot()
 * const { made, consumed } = await Utxos.touched(store, at, [txId])
 * ```
 */
export async function touched(store: Store, at: Snapshot, txIds: readonly Uint8Array[]): Promise<Touched> {
  const ids = sql`any(${sql.val([...txIds])}::bytea[])`
  const utxos = await select(store, at, sql`tx_id = ${ids} or consumed_tx_id = ${ids}`)
  const keys = new Set(txIds.map(Hex.encodeBare))
  return {
    made: utxos.filter(({ txId }) => keys.has(Hex.encodeBare(txId))),
    consumed: utxos.filter(
      ({ consumed }) => consumed !== undefined && keys.has(Hex.encodeBare(consumed.txId)),
    ),
  }
}

/**
 * Returns the outputs at the given positions, in any order.
 *
 * @example
 * ```ts
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const outputs = await Utxos.atPlaces(store, at, [{ source: 'P', height: 21_000_000n, ordinal: 0 }])
 * ```
 */
export async function atPlaces(
  store: Store,
  at: Snapshot,
  places: readonly { readonly source: ChainAlias; readonly height: bigint; readonly ordinal: number }[],
): Promise<UtxoHistory[]> {
  const sources = sql.val(places.map(({ source }) => source))
  const heights = sql.val(places.map(({ height }) => String(height)))
  const ordinals = sql.val(places.map(({ ordinal }) => ordinal))
  const rows = await fetchRows(
    store,
    sql<Row>`${prepared} select utxo.* from
    unnest(${sources}::text[], ${heights}::bigint[], ${ordinals}::int[]) as place (source, height, ordinal)
    cross join lateral (select ${COLUMNS} from utxo
      where source = place.source and height = place.height and ordinal = place.ordinal limit 1) as utxo`,
  )
  return histories(store, rows, at)
}

interface Row extends Omit<UtxoHistory, 'block' | 'output' | 'consumed' | 'amount'> {
  readonly blockHeight: bigint
  readonly amount: bigint | null
  readonly output: Uint8Array
  readonly consumedTxId: Uint8Array | null
  readonly consumedHeight: bigint | null
  readonly consumedBlockHeight: bigint | null
  readonly consumedTime: bigint | null
}

const COLUMNS = sql`id, chain, source, height, ordinal, ${containingBlock(sql`source`, sql`utxo.height`)} as "blockHeight", time, tx_id as "txId", output_index as "outputIndex", asset_id as "assetId",
  output, amount, origin, consumed_tx_id as "consumedTxId", consumed_height as "consumedHeight",
  ${containingBlock(sql`utxo.chain`, sql`consumed_height`)} as "consumedBlockHeight", consumed_time as "consumedTime"`

async function select(store: Store, at: Snapshot, condition: RawBuilder<unknown>): Promise<UtxoHistory[]> {
  const rows = await fetchRows(
    store,
    sql<Row>`
    ${prepared} select ${COLUMNS} from utxo where ${condition} order by tx_id, output_index`,
  )
  return histories(
    store,
    rows.filter(({ source, height }) => height <= at[source].height),
    at,
  )
}

async function histories(store: Store, rows: readonly Row[], at: Snapshot): Promise<UtxoHistory[]> {
  const stakes = rows.filter(({ origin }) => origin === 'stake').map(({ txId }) => txId)
  const blocks = await blocksOf(store, stakes)
  return rows.map((row) => history(row, blocks.get(Hex.encodeBare(row.txId)), at))
}

/** Returns the blocks that contain transactions of the P-chain, by transaction id in hex. */
async function blocksOf(
  store: Store,
  txIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, BlockPlace>> {
  if (txIds.length === 0) return new Map()
  const rows = await fetchRows(
    store,
    sql<BlockPlace & { readonly id: Uint8Array }>`
    ${prepared} select t.id, block.height, block.time from transaction as t
    join block on block.chain = 'P' and block.height = t.height
    where t.chain = 'P' and t.id = any(${sql.val([...txIds])}::bytea[])`,
  )
  return new Map(rows.map(({ id, height, time }) => [Hex.encodeBare(id), { height, time }]))
}

function history(
  {
    output,
    amount,
    blockHeight,
    consumedTxId,
    consumedHeight,
    consumedBlockHeight,
    consumedTime,
    ...row
  }: Row,
  stakedIn: BlockPlace | undefined,
  at: Snapshot,
): UtxoHistory {
  const isConsumed = consumedHeight !== null && consumedHeight <= at[row.chain].height
  const consumed =
    isConsumed && consumedTxId !== null && consumedBlockHeight !== null && consumedTime !== null
      ? { txId: consumedTxId, height: consumedBlockHeight, time: consumedTime }
      : undefined
  const own = row.origin === 'stake' ? stakedIn : undefined
  const block = own ?? { height: blockHeight, time: row.time }
  return { ...row, block, output: RecordCodec.decodeOutput(output), amount: amount ?? 0n, consumed }
}
