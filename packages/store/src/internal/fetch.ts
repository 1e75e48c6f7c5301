import { CHAIN_ALIASES, Hex } from '@firn/codec'
import type { LedgerState, Reads, Records } from '@firn/ledger'
import type { Row, Session } from '@firn/sql'
import * as RecordCodec from '../RecordCodec.ts'
import * as utxos from './utxos.ts'

/** Returns the live records of the ledger's tables that `reads` name. */
export async function fetch(session: Session, reads: readonly Reads.Read[]): Promise<LedgerState.Found> {
  const groups = Map.groupBy(reads, ({ table, source }) => (table === 'utxo' ? (source ?? 'any') : 'asset'))
  const keysOf = (name: string) => (groups.get(name as 'any') ?? []).map(({ key }) => Hex.decodeBare(key))
  const utxo: Records.Utxo[] = []
  for (const name of ['any', ...CHAIN_ALIASES] as const) {
    if (!groups.has(name)) continue
    const rows = await session.query(name === 'any' ? UTXOS : `${UTXOS} and source = '${name}'`, [
      keysOf(name),
    ])
    for (const row of rows) utxo.push(utxos.recordOf(row as utxos.RecordRow))
  }
  const bodies = groups.has('asset') ? await session.query(ASSETS, [keysOf('asset')]) : []
  return { utxo, asset: bodies.map(assetOf) }
}

/**
 * Live UTXOs with the given ids. With the condition `is null`, the planner would assume that few rows match, as in
 * `CONSUME`. The source limits the lookup to the partitions of one chain.
 */
export const UTXOS = `select id, chain, source, height, ordinal, tx_id, output_index, asset_id, output, origin, reward_tx_id
  from utxo where id = any($1::bytea[]) and coalesce(consumed_height, -1) < 0`

const ASSETS = 'select body from asset where key = any($1::bytea[]) and until is null'

function assetOf({ body }: Row): Records.Asset {
  return RecordCodec.asset.decode(body as Uint8Array)
}
