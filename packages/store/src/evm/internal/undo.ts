import type { Session } from '../../internal/Driver.ts'
import { BLOCK_TABLES } from '../EvmSchema.ts'
import { undoReadings } from './contractReadings.ts'
import * as EventTable from './eventTable.ts'
import { limitUnchecked, MAX_UNCHECKED } from './storeChecks.ts'
import type { Undone } from './Undone.ts'
import { undoActives } from './undoActives.ts'
import { undoRollups } from './undoRollups.ts'

/**
 * Removes all blocks above a height and all data derived from them. `sequence` is the sequence number of the last
 * change before the undo.
 */
export async function undo(session: Session, height: bigint, sequence: bigint): Promise<void> {
  const above = [String(height)]
  const blocks = await session.query(
    'select height, time from block where height > $1 order by height',
    above,
  )
  await session.query(CHANGES, [...above, String(sequence)])
  for (const statement of [...TOKENS, ...CHECKS]) await session.query(statement, above)
  await limitUnchecked(session, height + 1n)
  await session.query(CONTRACTS, above)
  await undoReadings(session, height)
  const undone = blocks as unknown as readonly Undone[]
  await undoRollups(session, height, undone, await undoActives(session, height, undone))
  await EventTable.undo(session, height)
  for (const name of BLOCK_TABLES) await session.query(`delete from ${name} where height > $1`, above)
}

const CHANGES = `insert into change (sequence, undone, height, hash, parent_hash, time)
  select $2::int8 + row_number() over (order by height desc), true, height, hash, parent_hash, time from block where height > $1`

/**
 * Derived rows are found through the undone blocks' rows in {@link BLOCK_TABLES}, which are therefore deleted last.
 * This way no index on `since` is needed.
 */
const HELD = `select distinct contract, standard, case when standard = 1155 then token_id else 0 end as token_id, address
  from transfer cross join lateral (values (sender), (recipient)) as side (address) where height > $1
  union select contract, 20, 0, address from wrapping where height > $1`
const MOVED = 'select distinct contract, token_id from transfer where height > $1 and standard <> 20'

/** Selects a holder's rows of `token_balance`; `of` contains the holder's key. */
const balancesOf = (
  of: string,
) => `token_balance b where b.contract = ${of}.contract and b.standard = ${of}.standard
  and b.token_id = 0 and b.address = ${of}.address`
const isHolder =
  'h.contract = k.contract and h.standard = k.standard and h.address = k.address and h.since > $1'

/** The highest balance that remains. All balances of a holder are only read if the highest one was undone. */
const PEAK = `(select h.peak as balance, h.peak_since as since where h.peak_since <= $1
  union all (select b.balance, b.since from ${balancesOf('h')} and (h.peak_since <= $1) is not true
    order by b.balance desc, b.since limit 1)) as p`

/**
 * Holders get their remaining balance, which leaves \`token_balance\`. Rows of \`token_balance\` that only changed the
 * wrapped amount don't count as changes.
 */
const HOLDERS = [
  `update token_holder h set since = first.since, balance = first.balance, wrapped = first.wrapped,
    (peak, peak_since) = (select case when p.since <> first.since then p.balance end,
      case when p.since <> first.since then p.since end from ${PEAK})
    from (${HELD}) k
    cross join lateral (select b.balance from ${balancesOf('k')} order by b.since desc limit 1) as last
    cross join lateral (select b.since, b.balance, b.wrapped from ${balancesOf('k')} and b.since >
      coalesce((select max(b.since) from ${balancesOf('k')} and b.balance <> last.balance), -1) order by b.since limit 1) as first
    where ${isHolder} and exists (select from ${balancesOf('k')} and b.balance <> 0)`,
  `delete from token_balance b using (${HELD}) k, token_holder h where h.contract = k.contract and h.standard = k.standard
    and h.address = k.address and b.contract = h.contract and b.standard = h.standard and b.token_id = 0
    and b.address = h.address and b.since = h.since`,
  `delete from token_holder h using (${HELD}) k where ${isHolder}`,
]

const TOKENS = [
  `delete from token_balance b using (${HELD}) k where b.contract = k.contract and b.standard = k.standard
    and b.token_id = k.token_id and b.address = k.address and b.since > $1`,
  ...HOLDERS,
  `delete from token_owner o using (${MOVED}) k where o.contract = k.contract and o.token_id = k.token_id and o.since > $1`,
  `update token_owner o set until = null from (${MOVED}) k
    where o.contract = k.contract and o.token_id = k.token_id and o.until > $1`,
  `delete from token t using (${MOVED}) k where t.contract = k.contract and t.token_id = k.token_id and t.since > $1`,
  `delete from token_unseen t using (${MOVED}) k
    where t.contract = k.contract and t.token_id = k.token_id and t.since > $1`,
  // Metadata is deleted after the tokens. Deleting a token waits for a database transaction that stores its metadata,
  // so this statement then finds that metadata.
  `delete from token_metadata m using (${MOVED}) k where m.contract = k.contract and m.token_id = k.token_id
    and not exists (select from token t where t.contract = k.contract and t.token_id = k.token_id)`,
]

/** Returns to what was known of balances at the height. The checks resume there. */
const CHECKS = [
  'delete from wrapping where height > $1',
  'delete from checked_range where first > $1',
  'update checked_range set last = $1 where last > $1',
  `update token_check t set due = 0 from (select distinct contract from token_check where height > $1) as k
    where t.contract = k.contract and t.height <= $1`,
  // The balances of contracts that are not known any more wait for a check again.
  `insert into unchecked_balance (contract, standard, token_id, address, since)
    select b.contract, b.standard, b.token_id, b.address, 0::int8
    from (select distinct contract from token_check k where height > $1
        and not exists (select from token_check t where t.contract = k.contract and t.height <= $1)) as g
      cross join lateral (select h.contract, h.standard, 0::numeric as token_id, h.address from token_holder h
          where h.contract = g.contract
        union select b.contract, b.standard, b.token_id, b.address from token_balance b
          where b.contract = g.contract and (b.standard = 1155 or b.wrapped <> 0)) as b
    limit ${MAX_UNCHECKED + 1} on conflict do nothing`,
  'delete from token_check where height > $1',
  'delete from unchecked_balance where since > $1',
  'delete from balance_reading where height > $1',
]

const CONTRACTS = `delete from contract c using (select contract from transfer where height > $1
    union select contract from creation where height > $1) k where c.address = k.contract and c.since > $1`
