import { formatArray, type Session, TableRows, toKey } from '@firn/sql'
import { EVM_TABLES, type IcmCountRow, type IcmEventRow, type IcmMessageRow, PERIODS } from '../EvmSchema.ts'
import { type IcmRow, resentRow } from './icmRows.ts'
import { startOf } from './Rollups.ts'

/**
 * Stores the interchain messages of the next blocks, unless messages of earlier blocks are not stored yet: they are then
 * read from the stored logs later. `first` and `last` are the heights of the blocks.
 */
export async function writeIcm(
  session: Session,
  rows: readonly IcmRow[],
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<void> {
  const moved = await session.query(
    'update icm_progress set next_height = $2 where next_height = $1 returning next_height',
    [String(first), String(last + 1n)],
  )
  if (moved.length > 0) await storeIcm(session, rows)
}

/** Stores rows that follow all stored ones, and counts the messages. */
export async function storeIcm(session: Session, rows: readonly IcmRow[]): Promise<void> {
  if (rows.length === 0) return
  const messages = new TableRows<IcmMessageRow>('icm_message', EVM_TABLES.icm_message)
  const events = new TableRows<IcmEventRow>('icm_event', EVM_TABLES.icm_event)
  const known = await knownMessages(session, rows)
  const counts = new Counts()
  for (const one of rows) {
    if (one.table === 'icm_event') {
      events.add(one.row)
      continue
    }
    const name = nameOf(one.row)
    if (!known.has(name)) {
      known.add(name)
      messages.add(one.row)
      counts.add(one.row)
    } else if (one.row.is_sent) events.add(resentRow(one.row))
    // A messenger receives each message once. Others that log deliveries again count once, too.
  }
  for (const table of [messages, events])
    if (table.count > 0) await session.copy(table.target, table.finish())
  await counts.change(session, ADD)
}

/** Returns the names of the messages among the rows that are stored already. The contract follows from the id. */
async function knownMessages(session: Session, rows: readonly IcmRow[]): Promise<Set<string>> {
  const ids = rows.flatMap(({ table, row }) => (table === 'icm_message' ? [row.message_id] : []))
  if (ids.length === 0) return new Set()
  const found = await session.query(
    'select message_id, is_sent from icm_message where message_id = any($1::bytea[])',
    [ids],
  )
  return new Set((found as unknown as readonly IcmMessageRow[]).map(nameOf))
}

const nameOf = ({ message_id, is_sent }: Pick<IcmMessageRow, 'message_id' | 'is_sent'>) =>
  `${is_sent} ${toKey(message_id)}`

/** Removes the messages and events of all blocks above a height, as part of an undo. */
export async function undoIcm(session: Session, height: bigint): Promise<void> {
  const above = [String(height)]
  // The lock makes a process that reads the messages of the removed blocks wait, and then read the messages of the new ones.
  await session.query('select from icm_progress for update')
  const gone = await session.query(
    'select is_sent, source, destination, time from icm_message where height > $1',
    above,
  )
  const counts = new Counts()
  for (const row of gone as unknown as readonly Counted[]) counts.add(row)
  for (const statement of SUBTRACT) await counts.change(session, statement)
  for (const name of ['icm_message', 'icm_event'])
    await session.query(`delete from ${name} where height > $1`, above)
  await session.query(
    `update icm_progress set from_height = least(from_height, $1::int8 + 1),
      next_height = least(next_height, $1::int8 + 1)`,
    above,
  )
}

type Counted = Pick<IcmMessageRow, 'is_sent' | 'source' | 'destination' | 'time'>

/** The numbers of messages by period and route. */
class Counts {
  readonly #rows = new Map<string, IcmCountRow>()

  add({ is_sent, source, destination, time }: Counted): void {
    for (const period of PERIODS) {
      const start = startOf(period, time)
      const key = `${period} ${start} ${is_sent} ${toKey(source)} ${toKey(destination)}`
      const row = this.#rows.get(key) ?? { period, start, is_sent, source, destination, messages: 0n }
      row.messages += 1n
      this.#rows.set(key, row)
    }
  }

  /** Runs a statement with the columns of all rows. */
  async change(session: Session, text: string): Promise<void> {
    const rows = [...this.#rows.values()]
    if (rows.length === 0) return
    await session.query(text, [
      rows.map(({ period }) => period),
      formatArray(rows.map(({ start }) => start)),
      formatArray(rows.map(({ is_sent }) => String(is_sent))),
      rows.map(({ source }) => source),
      rows.map(({ destination }) => destination),
      formatArray(rows.map(({ messages }) => messages)),
    ])
  }
}

const COUNTS = `unnest($1::text[], $2::int8[], $3::boolean[], $4::bytea[], $5::bytea[], $6::int8[])
  as k (period, start, is_sent, source, destination, messages)`
const ADD = `insert into icm_count as c (period, start, is_sent, source, destination, messages) select * from ${COUNTS}
  on conflict (period, is_sent, start, source, destination) do update set messages = c.messages + excluded.messages`
const IS_COUNT = `c.period = k.period and c.start = k.start and c.is_sent = k.is_sent and c.source = k.source
  and c.destination = k.destination`
const SUBTRACT = [
  `update icm_count c set messages = c.messages - k.messages from ${COUNTS} where ${IS_COUNT}`,
  `delete from icm_count c using ${COUNTS} where ${IS_COUNT} and c.messages = 0`,
]

/**
 * Stores from which height on messages are stored, if that is not decided yet: from the first block whose logs and
 * transactions are stored, otherwise from the next block on.
 */
export async function openIcm(session: Session, next: bigint): Promise<void> {
  // Citus rejects a subquery without columns if it runs on other servers than the statement.
  await session.query(
    `insert into icm_progress (from_height, next_height) select f.height, f.height
      from (select case when logs_from is null or not exists (select 1 from block) then $1::int8
          else least($1::int8, greatest(logs_from,
            (select max(below) from pruned where kind in ('logs', 'transactions', 'messages')))) end as height
        from chain) as f
      where not exists (select 1 from icm_progress)`,
    [String(next)],
  )
}
