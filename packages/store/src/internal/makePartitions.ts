import { CHAIN_ALIASES } from '@firn/codec'
import type { Partitions, Session } from '@firn/sql'
import { PARTITIONED } from '../Schema.ts'
import type { Cursors } from './Batch.ts'

/** Creates the partitions for the heights between two cursors. Returns the names of the new ones. */
export async function makePartitions(
  session: Session,
  partitions: Partitions,
  before: Cursors,
  after: Cursors,
): Promise<string[]> {
  const made: string[] = []
  for (const chain of CHAIN_ALIASES) {
    const from = before[chain]?.height ?? 0n
    const tables = PARTITIONED.map((name) => `${name}_${chain.toLowerCase()}`)
    made.push(...(await partitions.ensure(session, tables, from, after[chain]?.height ?? from)))
  }
  return made
}
