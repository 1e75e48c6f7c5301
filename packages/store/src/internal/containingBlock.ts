import { type RawBuilder, sql } from 'kysely'

/**
 * Returns an SQL expression for the height of the block that contains the transaction that took effect at the height
 * `height` of the chain `chain`; both are SQL expressions. An option block of the P-chain has no transactions: what it
 * changes are the effects of the proposal block before it.
 */
export function containingBlock(chain: RawBuilder<unknown>, height: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql<bigint>`case when ${chain} = 'P' and ${height} > 0 then
    (select containing.height - (containing.transactions = 0)::int from block as containing
      where containing.chain = 'P' and containing.height = ${height}) else ${height} end`
}
