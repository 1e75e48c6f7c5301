import { formatArray, type Row, type Session } from '@firn/sql'
import { BLOCK_TABLES, type ItemHolderRow } from '../EvmSchema.ts'
import { Airdrops, type Delivery } from './Airdrops.ts'
import { undoReadings } from './contractReadings.ts'
import * as EventTable from './eventTable.ts'
import { ItemHolders } from './ItemHolders.ts'
import { limitUnchecked, MAX_UNCHECKED } from './storeChecks.ts'
import { undoIcm } from './storeIcm.ts'
import type { Undone } from './Undone.ts'
import { undoActives } from './undoActives.ts'
import { undoRollups } from './undoRollups.ts'

/**
 * Removes all blocks above a height and all data derived from them. `sequence` is the sequence number of the last
 * change before the undo, `canLookUp` whether addresses can be looked up one by one: on a single server, by indexes.
 */
export async function undo(
  session: Session,
  height: bigint,
  { sequence, canLookUp }: { readonly sequence: bigint; readonly canLookUp: boolean },
): Promise<void> {
  const above = [String(height)]
  const blocks = await session.query(
    'select height, time from block where height > $1 order by height',
    above,
  )
  await session.query(CHANGES, [...above, String(sequence)])
  const held = heldKeys(await session.query(HELD, above))
  for (const statement of BALANCES) await session.query(statement, [...above, ...held])
  await undoItems(session, above)
  await undoAirdrops(session, above)
  const moved = await session.query(MOVED, above)
  const tokens = [
    moved.map(({ contract }) => contract as Uint8Array),
    formatArray(moved.map(({ token_id }) => String(token_id))),
  ]
  for (const statement of TOKENS) await session.query(statement, [...above, ...tokens])
  for (const statement of METADATA) await session.query(statement, [...tokens])
  await undoChecks(session, above)
  await limitUnchecked(session, height + 1n)
  const contracts = await session.query(CONTRACTS, above)
  await session.query('delete from contract where address = any($2::bytea[]) and since > $1', [
    ...above,
    contracts.map(({ contract }) => contract as Uint8Array),
  ])
  await undoReadings(session, height)
  const undone = blocks as unknown as readonly Undone[]
  await undoRollups(session, height, undone, await undoActives(session, height, canLookUp))
  await EventTable.undo(session, height)
  await undoIcm(session, height)
  for (const name of ['trace_gap', 'stale_digest'])
    await session.query(`delete from ${name} where height > $1`, above)
  for (const name of BLOCK_TABLES) await session.query(`delete from ${name} where height > $1`, above)
}

const CHANGES = `insert into change (sequence, kind, height, hash, parent_hash, time)
  select $2::int8 + row_number() over (order by height desc), 'undone', height, hash, parent_hash, time from block where height > $1`

/**
 * The keys of derived rows are read from the undone blocks' rows in {@link BLOCK_TABLES}, which are therefore deleted
 * last. This way no index on `since` is needed.
 */
const HELD = `select distinct contract, standard, case when standard = 1155 then token_id else 0 end as token_id, address
  from transfer cross join lateral (values (sender), (recipient)) as side (address) where height > $1
  union select contract, 20, 0, address from wrapping where height > $1`
/** Sorted, so that tokens are deleted in the order in which results of the metadata worker lock them. */
const MOVED = `select distinct contract, token_id from transfer where height > $1 and standard <> 20
  order by contract, token_id`

/** Takes the removed transfers of ERC-1155 tokens away from the balances. */
async function undoItems(session: Session, above: readonly string[]): Promise<void> {
  const items = new ItemHolders()
  const moved = (await session.query(ITEMS, above)) as unknown as readonly ItemHolderRow[]
  for (const { balance, ...holding } of moved) items.add(holding, -balance)
  await items.write(session)
}

const ITEMS = `select contract, token_id, address, sum(amount) as balance
  from (select contract, token_id, side.address, side.amount from transfer
    cross join lateral (values (sender, - amount), (recipient, amount)) as side (address, amount)
    where height > $1 and standard = 1155 and side.address <> decode('${'00'.repeat(20)}', 'hex')) as moved
  group by contract, token_id, address`

async function undoAirdrops(session: Session, above: readonly string[]): Promise<void> {
  const airdrops = new Airdrops()
  airdrops.add((await session.query(DELIVERIES, above)) as unknown as readonly Delivery[], -1)
  await airdrops.write(session)
}

const DELIVERIES = `select t.height, t.transaction_index, t.contract, t.recipient, x.sender as origin from transfer t
  join transaction x on x.height = t.height and x.transaction_index = t.transaction_index where t.height > $1`

/** Returns rows with the columns of {@link HELD} as an array for each column. */
function heldKeys(rows: readonly Row[]): readonly unknown[] {
  return [
    rows.map(({ contract }) => contract as Uint8Array),
    formatArray(rows.map(({ standard }) => standard as number)),
    formatArray(rows.map(({ token_id }) => String(token_id))),
    rows.map(({ address }) => address as Uint8Array),
  ]
}

const HELD_KEYS =
  'unnest($2::bytea[], $3::int4[], $4::numeric[], $5::bytea[]) as k (contract, standard, token_id, address)'
const MOVED_KEYS = 'unnest($2::bytea[], $3::numeric[]) as k (contract, token_id)'

/** The rows of `token_balance` of a holder `h`. */
const OF_HOLDER =
  'token_balance b where b.contract = h.contract and b.standard = h.standard and b.token_id = 0 and b.address = h.address'
const IS_HOLDER =
  'h.contract = k.contract and h.standard = k.standard and h.address = k.address and h.since > $1'

/**
 * Holders get their remaining balance, which leaves `token_balance`. Rows of `token_balance` that only changed the
 * wrapped amount don't count as changes. All balances of a holder are only read if the highest one was undone. The
 * subqueries refer to the holder and not to the key, which Citus does not allow together with a limit.
 */
const HOLDERS = [
  `update token_holder u set since = e.since, balance = e.balance, wrapped = e.wrapped,
    peak = case when e.peak_since <> e.since then e.peak end,
    peak_since = case when e.peak_since <> e.since then e.peak_since end
    from (select h.contract, h.standard, h.address, first.since, first.balance, first.wrapped,
        case when h.peak_since <= $1 then h.peak else top.balance end as peak,
        case when h.peak_since <= $1 then h.peak_since else top.since end as peak_since
      from ${HELD_KEYS} join token_holder h on ${IS_HOLDER}
      cross join lateral (select b.balance from ${OF_HOLDER} order by b.since desc limit 1) as last
      left join lateral (select b.since from ${OF_HOLDER} and b.balance <> last.balance order by b.since desc limit 1)
        as other on true
      cross join lateral (select b.since, b.balance, b.wrapped from ${OF_HOLDER} and b.since > coalesce(other.since, -1)
        order by b.since limit 1) as first
      left join lateral (select b.balance, b.since from ${OF_HOLDER} and (h.peak_since <= $1) is not true
        order by b.balance desc, b.since limit 1) as top on true
      where exists (select from ${OF_HOLDER} and b.balance <> 0)) as e
    where u.contract = e.contract and u.standard = e.standard and u.address = e.address`,
  `delete from token_balance b using ${HELD_KEYS}, token_holder h where h.contract = k.contract and h.standard = k.standard
    and h.address = k.address and b.contract = h.contract and b.standard = h.standard and b.token_id = 0
    and b.address = h.address and b.since = h.since and h.since <= $1`,
  `delete from token_holder h using ${HELD_KEYS} where ${IS_HOLDER}`,
]

const BALANCES = [
  `delete from token_balance b using ${HELD_KEYS} where b.contract = k.contract and b.standard = k.standard
    and b.token_id = k.token_id and b.address = k.address and b.since > $1`,
  ...HOLDERS,
]

const IS_TOKEN = 't.contract = k.contract and t.token_id = k.token_id'
const TOKENS = [
  `delete from token_owner t using ${MOVED_KEYS} where ${IS_TOKEN} and t.since > $1`,
  `update token_owner t set until = null from ${MOVED_KEYS} where ${IS_TOKEN} and t.until > $1`,
  `delete from token t using ${MOVED_KEYS} where ${IS_TOKEN} and t.since > $1`,
  `delete from token_unseen t using ${MOVED_KEYS} where ${IS_TOKEN} and t.since > $1`,
]
/**
 * Metadata is deleted after the tokens. Deleting a token waits for a database transaction that stores its metadata,
 * so this statement then finds that metadata.
 */
const METADATA = ['token_metadata', 'token_image'].map(
  (
    table,
  ) => `delete from ${table} t using unnest($1::bytea[], $2::numeric[]) as k (contract, token_id) where ${IS_TOKEN}
  and not exists (select from token o where o.contract = t.contract and o.token_id = t.token_id)`,
)

/** Returns to what was known of balances at the height. The checks resume there. */
async function undoChecks(session: Session, above: readonly string[]): Promise<void> {
  for (const statement of CHECKS) await session.query(statement, above)
  const unknown = await session.query(UNKNOWN, above)
  await waitForChecks(
    session,
    unknown.map(({ contract }) => contract as Uint8Array),
  )
  for (const statement of READINGS) await session.query(statement, above)
}

const CHECKS = [
  'delete from wrapping where height > $1',
  'delete from checked_range where first > $1',
  'update checked_range set last = $1 where last > $1',
  `update token_check t set due = 0 from (select distinct contract from token_check where height > $1) as k
    where t.contract = k.contract and t.height <= $1`,
]

/** Lets all balances of contracts wait for a check. */
export async function waitForChecks(session: Session, contracts: readonly Uint8Array[]): Promise<void> {
  await session.query(WAIT, [contracts])
}

/** Selects the contracts that are no longer known. Their balances wait for a check again. */
const UNKNOWN = `select distinct contract from token_check k where height > $1
  and not exists (select from token_check t where t.contract = k.contract and t.height <= $1)`
const WAIT = `insert into unchecked_balance (contract, standard, token_id, address, since)
  select b.contract, b.standard, b.token_id, b.address, 0::int8
  from (select h.contract, h.standard, 0::numeric as token_id, h.address from token_holder h
      where h.standard in (20, 721) and h.contract = any($1::bytea[])
    union select b.contract, b.standard, b.token_id, b.address from token_balance b
      where b.contract = any($1::bytea[]) and (b.standard = 1155 or b.wrapped <> 0)) as b
  limit ${MAX_UNCHECKED + 1} on conflict do nothing`

const READINGS = [
  'delete from token_check where height > $1',
  'delete from unchecked_balance where since > $1',
  'delete from balance_reading where height > $1',
]

const CONTRACTS = `select contract from transfer where height > $1
  union select contract from creation where height > $1 and contract is not null`
