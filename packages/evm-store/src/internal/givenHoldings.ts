import { type RawBuilder, sql } from 'kysely'
import type { Holding } from '../queries/BalanceChecks.ts'

/** Returns holdings as an SQL table `k` with the columns `contract`, `standard`, `token_id`, `address`, `place`. */
export function given(holdings: readonly Holding[]): RawBuilder<unknown> {
  return sql`unnest(${sql.val(holdings.map(({ contract }) => contract))}::bytea[],
    ${sql.val(holdings.map(({ standard }) => standard))}::int4[],
    ${sql.val(holdings.map(({ tokenId }) => String(tokenId)))}::numeric[],
    ${sql.val(holdings.map(({ address }) => address))}::bytea[])
    with ordinality as k (contract, standard, token_id, address, place)`
}
