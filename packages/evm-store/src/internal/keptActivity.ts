import { formatArray, type Row, type Session, toKey } from '@firn/sql'
import type { Lasts } from './Actives.ts'
import { KINDS } from './Activity.ts'
import { startOf } from './Rollups.ts'

/** Returns the last hours in which addresses were active up to a height, one element for each address. */
type KeptActivity = (session: Session, height: bigint, addresses: readonly Uint8Array[]) => Promise<Lasts[]>

/** Looks up each address by the indexes. */
export const byAddress: KeptActivity = async (session, height, addresses) => {
  const lasts = addresses.map((): Lasts => KINDS.map(() => null))
  for (const row of await session.query(KEPT, [String(height), addresses]))
    lasts[Number(row['place']) - 1] = lastsOf(row)
  return lasts
}

function lastsOf(row: Row): Lasts {
  return KINDS.map(({ last }) => {
    const time = row[last] as bigint | null | undefined
    return time === null || time === undefined ? null : startOf('hour', time)
  })
}

/** Selects the last height with an address on one side of a transaction. */
const transactionOf = (side: string) =>
  `(select height from transaction where ${side} = k.address and height <= $1 order by height desc limit 1)`
/** Selects the last height with an address on one side of a transfer. The index has one range for each standard. */
const transferOf = (side: string) =>
  [20, 721, 1155].map(
    (standard) => `(select height from transfer
    where ${side} = k.address and standard = ${standard} and height <= $1 order by height desc limit 1)`,
  )
const timeOf = (height: string) => `(select time from block where height = ${height})`

/** The times of the last activity that remains. Its rows, or the rows of their blocks, may be pruned. */
const KEPT = `select k.place, greatest(${timeOf('greatest(a.sent, a.received)')}, p.last) as last,
    greatest(${timeOf('a.sent')}, p.sender_last) as sender_last, greatest(${timeOf('a.created')}, p.deployer_last) as deployer_last
  from unnest($2::bytea[]) with ordinality as k (address, place)
  cross join lateral (select greatest(${[transactionOf('sender'), ...transferOf('sender')].join(', ')}) as sent,
    greatest(${[transactionOf('recipient'), ...transferOf('recipient')].join(', ')}) as received,
    (select height from creation where creator = k.address and succeeded and height <= $1 and (select has_traces from chain)
      order by height desc limit 1) as created offset 0) as a
  left join pruned_activity p on p.address = k.address`

/**
 * Numbers of blocks below the height in which addresses are looked up one after the other, before all blocks. A query
 * reads all rows of the addresses within a range, and busy addresses are found in the first range.
 */
const RANGES = [256n, 4_096n, 65_536n, 1_048_576n]

/**
 * Looks up all addresses in a range of heights at once, and those that are not found in the range before. Shards by
 * height allow no lookup per address: each of them has a separate last row.
 */
export const byHeight: KeptActivity = async (session, height, addresses) => {
  const [active, sent, created] = [
    await lastHeights(session, height, addresses, ACTIVE),
    await lastHeights(session, height, addresses, SENT),
    await lastHeights(session, height, addresses, CREATED),
  ]
  const heights = [active, sent, created].flatMap((found) => [...found.values()])
  const blocks = await session.query('select height, time from block where height = any($1::int8[])', [
    formatArray(heights),
  ])
  const times = new Map(blocks.map(({ height, time }) => [height as bigint, time as bigint]))
  const pruned = new Map<string, Row>()
  for (const row of await session.query('select * from pruned_activity where address = any($1::bytea[])', [
    addresses,
  ]))
    pruned.set(toKey(row['address'] as Uint8Array), row)
  return addresses.map((address) => {
    const key = toKey(address)
    const timeAt = (found: ReadonlyMap<string, bigint>) => times.get(found.get(key) ?? -1n)
    const row = pruned.get(key)
    return lastsOf({
      last: latest(timeAt(active), row?.['last']),
      sender_last: latest(timeAt(sent), row?.['sender_last']),
      deployer_last: latest(timeAt(created), row?.['deployer_last']),
    })
  })
}

function latest(time: bigint | undefined, pruned: unknown): bigint | undefined {
  if (typeof pruned !== 'bigint') return time
  return time === undefined || pruned > time ? pruned : time
}

/** Returns the last height of each address that `rows` selects, by the keys of the addresses. */
async function lastHeights(
  session: Session,
  height: bigint,
  addresses: readonly Uint8Array[],
  rows: string,
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>()
  let until = height
  for (const range of [...RANGES, undefined]) {
    const missing = addresses.filter((address) => !found.has(toKey(address)))
    if (missing.length === 0 || until < 0n) break
    const from = range === undefined ? -1n : height - range
    const values = [missing, String(from), String(until)]
    const text = `select address, max(height) as height from (${rows}) as found group by address`
    for (const row of await session.query(text, values))
      found.set(toKey(row['address'] as Uint8Array), row['height'] as bigint)
    until = from
  }
  return found
}

const WITHIN = 'height > $2 and height <= $3'
const sideOf = (table: string, side: string, condition = '') =>
  `select height, ${side} as address from ${table} where ${side} = any($1::bytea[])${condition} and ${WITHIN}`
const ALL_STANDARDS = ' and standard in (20, 721, 1155)'
const SENT = `${sideOf('transaction', 'sender')} union all ${sideOf('transfer', 'sender', ALL_STANDARDS)}`
const ACTIVE = `${SENT} union all ${sideOf('transaction', 'recipient')}
  union all ${sideOf('transfer', 'recipient', ALL_STANDARDS)}`
const CREATED = `${sideOf('creation', 'creator', ' and succeeded')} and (select has_traces from chain)`
