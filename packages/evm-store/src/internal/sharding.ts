import type { Session } from '@firn/sql'
import { PLACEMENTS, type Placement } from '../Placement.ts'

/** Returns whether the chain is sharded over the workers of a Citus cluster, or is being sharded. */
export async function isSharded(session: Session): Promise<boolean> {
  return (await session.query('select from sharding')).length > 0
}

/**
 * Makes all servers commit a transaction in two phases. If it changed rows on one worker only, Citus would commit there
 * before it commits on the coordinator, and a crash of the coordinator in between would leave these rows behind. Changes
 * of a table that is on every server are always committed in two phases.
 */
export async function commitTogether(session: Session): Promise<void> {
  await session.query('update chain set chain_id = chain_id')
}

/** A table and its placement. */
export interface Placed {
  readonly name: string
  readonly placement: Placement
}

/**
 * Returns the placement of each table, including tables of decoded events. The tables that must be moved before others
 * come first.
 */
export async function placements(session: Session): Promise<readonly Placed[]> {
  const events = await session.query('select name from event_table order by name')
  return [
    ...Object.entries(PLACEMENTS)
      .map(([name, placement]) => ({ name, placement }))
      .toSorted((a, b) => Number(isFirst(b.name)) - Number(isFirst(a.name))),
    ...events.map(({ name }) => ({ name: name as string, placement: 'height' as const })),
  ]
}

/** Returns the tables of a chain that are not on workers yet, although they should be. */
export async function missingTables(session: Session): Promise<readonly Placed[]> {
  const moved = new Set((await session.query(MOVED)).map(({ name }) => name))
  const all = await placements(session)
  return all.filter(({ name, placement }) => placement !== 'coordinator' && !moved.has(name))
}

/** Moves tables of a sharded chain that were added since it was sharded. */
export async function moveNewTables(session: Session): Promise<void> {
  const [sharding] = await session.query('select shards, is_complete from sharding')
  if (sharding?.['is_complete'] !== true || (await missingTables(session)).length === 0) return
  // Other processes may be moving them.
  await session.query(
    `select pg_advisory_xact_lock(hashtextextended('firn sharding ' || current_schema(), 0))`,
  )
  for (const { name, placement } of await missingTables(session))
    await moveTable(session, name, placement, sharding['shards'] as number)
}

/** Selects the names of the tables of the schema that are on workers. */
const MOVED = `select relname as name from pg_class join pg_dist_partition on logicalrelid = pg_class.oid
  where relnamespace = current_schema()::regnamespace`

/** The tables with whose shards the shards of other tables are colocated. Columns of different types cannot be. */
const FIRST = { height: 'block', address: 'token_balance', contract: 'token_balance' } as const

/** Returns whether a table must be moved before those that are colocated with it. */
function isFirst(name: string): boolean {
  return Object.values<string>(FIRST).includes(name)
}

/** Moves a table to where it is placed. If the table is the first of its kind, it gets the given number of shards. */
export async function moveTable(
  session: Session,
  name: string,
  placement: Placement,
  shards: number,
): Promise<void> {
  if (placement === 'coordinator') return
  const table = `"${name}"`
  if (placement === 'everywhere') await session.query('select create_reference_table($1)', [table])
  else if (FIRST[placement] === name) {
    const create = `select create_distributed_table($1, $2, shard_count => $3, colocate_with => 'none')`
    await session.query(create, [table, placement, shards])
  } else {
    const create = 'select create_distributed_table($1, $2, colocate_with => $3)'
    await session.query(create, [table, placement, FIRST[placement]])
  }
  // The rows that were copied are still in the table's own files, where nothing reads them.
  await session.query('select truncate_local_data_after_distributing_table($1::regclass)', [table])
}
