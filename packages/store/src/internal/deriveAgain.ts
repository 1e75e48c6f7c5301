import type { Session } from '@firn/sql'
import type { Database } from '../Schema.ts'

/** The tables with derived data, each with the column of `cursor` that its writers set to the height. */
export const MARKS: { readonly [N in Database['underived']['name']]: 'derived' | 'rewarded' } = {
  proposal: 'derived',
  burned: 'derived',
  rewarded: 'rewarded',
}

/**
 * Removes the derived data of each chain that has blocks without it, so that `Derivation.advance` derives it for all blocks.
 * A writer of an earlier version, which may have continued after the migration, leaves such blocks.
 */
export async function deriveAgain(session: Session): Promise<void> {
  for (const [table, mark] of Object.entries(MARKS)) {
    const rows = await session.query(`select chain from cursor where ${mark} is distinct from height`)
    if (rows.length === 0) continue
    const chains = rows.map(({ chain }) => chain)
    await session.query(`delete from ${table} where chain = any($1::text[])`, [chains])
    await session.query('delete from underived where name = $2 and chain = any($1::text[])', [chains, table])
    await session.query(
      `insert into underived select $2, chain, height + 1, height + 1, 0 from cursor where chain = any($1::text[])`,
      [chains, table],
    )
  }
  await session.query(
    `update cursor set derived = height, rewarded = height
      where derived is distinct from height or rewarded is distinct from height`,
  )
}
