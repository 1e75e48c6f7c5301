import type { ChainAlias } from '@firn/codec'
import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the `from` clause for the UTXO of an entry. The limit keeps the planner from reading all UTXOs
 * instead of looking up a few.
 */
export function utxoAt(
  source: ChainAlias,
  entry: string,
  condition = sql<unknown>`true`,
): RawBuilder<unknown> {
  return sql`from utxo where utxo.source = ${source} and utxo.height = ${sql.ref(`${entry}.height`)}
    and utxo.ordinal = ${sql.ref(`${entry}.ordinal`)} and ${condition} limit 1`
}
