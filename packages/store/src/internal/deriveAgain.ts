import type { Database } from '../Schema.ts'
import type { Session } from './Driver.ts'

/** Names of the tables with derived data. */
const NAMES: readonly Database['underived']['name'][] = ['proposal', 'burned', 'rewarded']

/**
 * Removes the derived data of each chain that has blocks without it, so that `Derivation.advance` derives it for all blocks.
 * A writer of an earlier version, which may have gone on after the migration, leaves such blocks.
 */
export async function deriveAgain(session: Session): Promise<void> {
  const rows = await session.query('select chain from cursor where derived is distinct from height')
  const chains = rows.map(({ chain }) => chain)
  if (chains.length === 0) return
  for (const table of [...NAMES, 'underived'])
    await session.query(`delete from ${table} where chain = any($1::text[])`, [chains])
  await session.query(
    `insert into underived select name, chain, height + 1, height + 1, 0
      from cursor, unnest($2::text[]) as name where chain = any($1::text[])`,
    [chains, NAMES],
  )
  await session.query('update cursor set derived = height')
}
