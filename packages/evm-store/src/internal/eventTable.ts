import { Hex } from '@firn/codec'
import type { EventAbi } from '@firn/evm'
import type { Session } from '@firn/sql'
import type { EvmDatabase } from '../EvmSchema.ts'
import type { EventSource } from './eventColumns.ts'

export type EventTableRow = EvmDatabase['event_table']

/** A table of events, as stored. */
export interface EventTable {
  readonly name: string
  readonly source: EventSource
  /** Height from which on events are decoded. */
  readonly fromHeight: bigint
  /** Height of the next block whose events are decoded. */
  readonly nextHeight: bigint
}

/** Reads a row of `event_table`. */
export function ofRow(row: EventTableRow): EventTable {
  const { abi, event, addresses } = JSON.parse(row.definition) as {
    readonly abi: string
    readonly event: EventAbi.EventAbi
    readonly addresses: readonly string[]
  }
  return {
    name: row.name,
    source: { abi, event, addresses: addresses.map((address) => Hex.decode(address)) },
    fromHeight: row.from_height,
    nextHeight: row.next_height,
  }
}

/** Removes the events of all blocks above a height, as part of an undo. */
export async function undo(session: Session, height: bigint): Promise<void> {
  // The lock makes a process that decodes the removed blocks wait, and then decode the new ones.
  const tables = await session.query('select name from event_table order by name for update')
  for (const { name } of tables)
    await session.query(`delete from "${name}" where height > $1`, [String(height)])
  await session.query('update event_table set next_height = least(next_height, $1::int8 + 1)', [
    String(height),
  ])
}
