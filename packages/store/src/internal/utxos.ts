import { Records } from '@firn/ledger'
import * as RecordCodec from '../RecordCodec.ts'
import type { UtxoAddressRow, UtxoRow } from '../Schema.ts'
import { unique } from './versions.ts'

/** The rows of a UTXO created in a batch. */
export interface Made {
  readonly row: UtxoRow
  readonly addresses: readonly UtxoAddressRow[]
}

/** Returns a string that is unique for each UTXO. */
export function keyOf({ source, height, ordinal }: Records.Utxo): string {
  return `${source}${height}.${ordinal}`
}

/** Returns the rows of a new UTXO. */
export function make(record: Records.Utxo, time: bigint): Made {
  const { id, chain, source, utxo, origin, rewardTxId, height, ordinal } = record
  const { output } = utxo
  const holding = Records.unlocked(output)
  const bytes = RecordCodec.encodeOutput(output)
  const row: UtxoRow = {
    id,
    chain,
    source,
    height,
    ordinal,
    time,
    tx_id: utxo.txID,
    output_index: utxo.outputIndex,
    asset_id: utxo.assetID,
    output: bytes,
    output_type: typeOf(output, bytes),
    amount: 'amount' in holding ? holding.amount : null,
    locktime: holding.locktime,
    stakeable_locktime: output.type === 'LockOut' ? output.locktime : null,
    threshold: holding.threshold,
    addresses: [...holding.addresses],
    origin,
    reward_tx_id: rewardTxId ?? null,
    consumed_height: null,
    consumed_tx_id: null,
    consumed_time: null,
  }
  const place = { chain, source, height, ordinal, id, consumed_height: null }
  return { row, addresses: unique(holding.addresses).map((address) => ({ address, ...place })) }
}

/**
 * Returns the codec type id of the inner output. A lock starts with its own type id (4 bytes) and a time (8
 * bytes), which are followed by the locked output.
 */
function typeOf(output: Records.Output, bytes: Uint8Array): number {
  return bytes[output.type === 'LockOut' ? 15 : 3] as number
}

/** Marks a UTXO that the same batch created as consumed. */
export function consume(
  { row, addresses }: Made,
  height: bigint,
  txId: Uint8Array | null,
  time: bigint,
): void {
  row.consumed_height = height
  row.consumed_tx_id = txId
  row.consumed_time = time
  for (const address of addresses) address.consumed_height = height
}

/** The columns of a UTXO from which its record is made. */
export type RecordRow = Pick<
  UtxoRow,
  | 'id'
  | 'chain'
  | 'source'
  | 'height'
  | 'ordinal'
  | 'tx_id'
  | 'output_index'
  | 'asset_id'
  | 'output'
  | 'origin'
  | 'reward_tx_id'
>

/** Returns the UTXO record of a row. */
export function recordOf(row: RecordRow): Records.Utxo {
  const { tx_id: txId, output_index: outputIndex, asset_id: assetId, output } = row
  return {
    id: row.id,
    chain: row.chain,
    source: row.source,
    utxo: { txID: txId, outputIndex, assetID: assetId, output: RecordCodec.decodeOutput(output) },
    origin: row.origin,
    rewardTxId: row.reward_tx_id ?? undefined,
    height: row.height,
    ordinal: row.ordinal,
  }
}
