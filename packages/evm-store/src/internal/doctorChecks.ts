import type { KindName } from '../DataKinds.ts'
import { MANY_RECIPIENTS } from './Airdrops.ts'
import { ALL_BALANCES } from './allBalances.ts'
import { ICM_CHECKS } from './doctorIcm.ts'
import { ALL_ITEMS } from './ItemHolders.ts'
import { ID_POSITION } from './idTransfers.ts'

/**
 * A statement that finds rows that do not match the blocks, and returns the expected and the actual values.
 */
export interface Check {
  readonly table: string
  /** SQL statement that returns the columns `height`, `of`, `expected` and `actual`. */
  readonly text: string
}

const ZERO = `'\\x${'00'.repeat(20)}'::bytea`
const hex = (column: string) => `encode(${column}, 'hex')`
const token = `${hex('contract')} || ' ' || token_id`

const SINCE_EPOCH = `timestamp 'epoch' + b.time * interval '1 second'`
/** The periods that contain a block `b`, computed by the database. */
const PERIODS = `(values ('hour', b.time - b.time % 3600), ('day', b.time - b.time % 86400),
  ('week', extract(epoch from date_trunc('week', ${SINCE_EPOCH}))::int8),
  ('month', extract(epoch from date_trunc('month', ${SINCE_EPOCH}))::int8), ('all', 0)) as p (period, start)`

/** Height below which transfers, or the balances that follow from them, were pruned. Rows from before it are taken as given. */
const KEPT = `(select coalesce(max(below), 0) from pruned where kind in ('transfers', 'balances'))`
/** First hour of which everything of a kind is kept; 0 if nothing was removed. */
const keptHour = (kind: KindName) =>
  `coalesce((select time - time % 3600 + 3600 from block where height = (select max(below) from pruned where kind = '${kind}')), 0)`
/** First hour whose transfers, and therefore also transactions, are all kept. */
const KEPT_HOUR = keptHour('transfers')
/** First hour whose totals are kept. Longer periods are always kept. */
const KEPT_TOTALS = `(select coalesce(max(below), 0) from pruned where kind = 'metrics')`

const CONTRACTS = `with expected as (select contract as address, min(height) as since
    from (select contract, height from transfer union all select contract, height from creation
      where succeeded and contract is not null) as seen group by contract)
  select coalesce(e.since, c.since) as height, ${hex('address')} as of, 'since ' || e.since as expected,
    'since ' || c.since as actual
  from expected e full join contract c using (address)
  where e.since is distinct from c.since and (c.since is null or c.since >= ${KEPT})`

const TOKENS = `with expected as (select distinct on (contract, token_id) contract, token_id, standard, height as since
    from transfer where standard <> 20 order by contract, token_id, height, log_index, position)
  select coalesce(e.since, t.since) as height, ${token} as of, 'ERC-' || e.standard || ' since ' || e.since as expected,
    'ERC-' || t.standard || ' since ' || t.since as actual
  from expected e full join token t using (contract, token_id)
  where (e.since is distinct from t.since or e.standard is distinct from t.standard)
    and (t.since is null or t.since >= ${KEPT})`

const OWNERS = `with last as (select distinct on (contract, token_id, height) contract, token_id, height, recipient
    from transfer where standard = 721 and height >= ${KEPT}
    order by contract, token_id, height, log_index desc, position desc),
  given as (select distinct on (contract, token_id) contract, token_id, since as height, owner as recipient
    from token_owner where since < ${KEPT} order by contract, token_id, since desc),
  changed as (select *, lag(recipient) over (partition by contract, token_id order by height) as before
    from (select * from given union all select * from last) as all_changes),
  expected as (select contract, token_id, height as since, recipient as owner,
    lead(height) over (partition by contract, token_id order by height) as until
    from changed where before is distinct from recipient)
  select since as height, ${token} as of, ${hex('e.owner')} || ' until ' || coalesce(e.until::text, 'now') as expected,
    ${hex('o.owner')} || ' until ' || coalesce(o.until::text, 'now') as actual
  from expected e full join token_owner o using (contract, token_id, since)
  where (e.owner is distinct from o.owner or e.until is distinct from o.until)
    and (o.since is null or o.since >= ${KEPT})`

const BALANCES = `with side as (
    select contract, standard, case when standard = 1155 then token_id else 0 end as token_id, height, address, difference
    from transfer cross join lateral (values (sender, -amount), (recipient, amount)) as s (address, difference)
    where address <> ${ZERO} and height >= ${KEPT}),
  given as (select distinct on (address, standard, contract, token_id) contract, standard, token_id, since, address, balance,
      wrapped
    from ${ALL_BALANCES} b where since < ${KEPT} order by address, standard, contract, token_id, since desc),
  change as (select contract, standard, token_id, height, address, difference, 0 as wrapped from side
    union all select contract, 20, 0, height, address, 0, amount from wrapping
      where address <> ${ZERO} and height >= ${KEPT}
    union all select * from given),
  moved as (select contract, standard, token_id, address, height as since, sum(difference) as difference,
      sum(wrapped) as wrapped
    from change group by contract, standard, token_id, address, height having sum(difference) <> 0 or sum(wrapped) <> 0),
  expected as (select contract, standard, token_id, address, since, sum(difference) over earlier as balance,
    sum(wrapped) over earlier as wrapped
    from moved window earlier as (partition by contract, standard, token_id, address order by since))
  select since as height, ${token} || ' ' || ${hex('address')} as of, 
    'balance ' || e.balance || ', wrapped ' || e.wrapped as expected,
    'balance ' || b.balance || ', wrapped ' || b.wrapped as actual
  from expected e full join ${ALL_BALANCES} b using (contract, standard, token_id, address, since)
  where (e.balance is distinct from b.balance or e.wrapped is distinct from b.wrapped)
    and (b.since is null or b.since >= ${KEPT})`

const holder = (row: string) =>
  `nullif(concat_ws(', ', 'balance ' || ${row}.balance, 'since ' || ${row}.since, 'peak ' || ${row}.peak,
    'at ' || ${row}.peak_since), '')`

/** An earlier check verifies the balances. */
const HOLDERS = `with changed as (select *, lag(balance, 1, 0::numeric) over earlier as before
    from ${ALL_BALANCES} b where standard <> 1155 window earlier as (partition by contract, standard, address order by since)),
  summed as (select contract, standard, address, max(since) as since, (array_agg(balance order by since desc))[1] as balance,
      max(balance) as peak, (array_agg(since order by balance desc, since))[1] as peak_since
    from changed where balance <> before group by contract, standard, address),
  expected as (select contract, standard, address, since, balance, case when peak_since <> since then peak end as peak,
      case when peak_since <> since then peak_since end as peak_since
    from summed)
  select coalesce(e.since, h.since) as height, ${hex('contract')} || ' ' || ${hex('address')} as of, ${holder('e')} as expected,
    ${holder('h')} as actual
  from expected e full join token_holder h using (contract, standard, address)
  where (e.since, e.balance, e.peak, e.peak_since) is distinct from (h.since, h.balance, h.peak, h.peak_since)`

const ITEMS = `with newest as (select distinct on (address, contract, token_id) address, contract, token_id, balance
    from token_balance where standard = 1155 order by address, contract, token_id, since desc),
  expected as (select * from newest where balance <> 0 union all
    select address, contract, ${ALL_ITEMS}, sum(balance) from newest group by address, contract having sum(balance) <> 0)
  select null::int8 as height, ${token} || ' ' || ${hex('address')} as of, 'balance ' || e.balance as expected,
    'balance ' || i.balance as actual
  from expected e full join item_holder i using (address, contract, token_id) where e.balance is distinct from i.balance`

/** The counts include pruned transfers, so they are only compared if there are none. */
const AIRDROPS = `with grouped as (select t.contract, count(*) as transfers, count(t.recipient) as delivered,
      count(distinct t.recipient) as recipients
    from (select t.height, t.transaction_index, t.contract,
        case when t.recipient <> x.sender and t.recipient <> ${ZERO} then t.recipient end as recipient
      from transfer t join transaction x on x.height = t.height and x.transaction_index = t.transaction_index) as t
    group by t.height, t.transaction_index, t.contract),
  expected as materialized (select contract, sum(transfers)::int8 as transfers,
      coalesce(sum(delivered) filter (where recipients >= ${MANY_RECIPIENTS}), 0)::int8 as airdropped
    from grouped group by contract),
  actual as materialized (select contract, airdropped, airdropped + others as transfers from token_airdrop)
  select null::int8 as height, ${hex('contract')} as of, e.airdropped || ' of ' || e.transfers as expected,
    a.airdropped || ' of ' || a.transfers as actual
  from expected e full join actual a using (contract)
  where (e.airdropped, e.transfers) is distinct from (a.airdropped, a.transfers) and ${KEPT} = 0`

/**
 * The hours in which addresses were active. Before the first hour with all transfers, and with all headers, only the last
 * one of each address is certain to be included. Citus joins tables with different placements only if one side is materialized.
 */
const ACTIVE = `act as (
    select height, sender as address, 's' as kind from transaction
    union all select height, recipient, 'r' from transaction where recipient is not null
    union all select height, sender, 's' from transfer union all select height, recipient, 'r' from transfer
    union all select height, creator, 'd' from creation cross join chain where has_traces and succeeded),
  kept_hours as materialized (select b.time - b.time % 3600 as hour, address, bool_or(kind <> 'd') as is_active,
      bool_or(kind = 's') as is_sender, bool_or(kind = 'd') as is_deployer
    from act join block b on b.height = act.height group by 1, 2),
  pruned_hours as materialized (select last, sender_last, deployer_last, address from pruned_activity),
  all_hours as (select * from kept_hours
    union all select last, address, true, false, false from pruned_hours where last is not null
    union all select sender_last, address, true, true, false from pruned_hours where sender_last is not null
    union all select deployer_last, address, false, false, true from pruned_hours where deployer_last is not null),
  hours as (select hour, address, case when bool_or(is_active) then hour end as since,
      case when bool_or(is_sender) then hour end as sender_since, case when bool_or(is_deployer) then hour end as deployer_since
    from all_hours group by hour, address),
  active as (select hour, address, since, sender_since, deployer_since, max(since) over earlier as previous,
      max(sender_since) over earlier as sender_previous, max(deployer_since) over earlier as deployer_previous
    from hours window earlier as (partition by address order by hour rows between unbounded preceding and 1 preceding))`

const last = (row: string) =>
  `nullif(concat_ws(', ', 'last active ' || ${row}.last, 'last sender ' || ${row}.sender_last,
    'last deployer ' || ${row}.deployer_last), '')`

const LASTS = `with ${ACTIVE},
  expected as (select address, max(since) as last, max(sender_since) as sender_last, max(deployer_since) as deployer_last
    from active group by address),
  stored as materialized (select * from last_activity)
  select null::int8 as height, ${hex('address')} as of, ${last('e')} as expected, ${last('a')} as actual
  from expected e full join stored a using (address)
  where (e.last, e.sender_last, e.deployer_last) is distinct from (a.last, a.sender_last, a.deployer_last)`

const KINDS = `(values (1, a.since, a.previous), (2, a.sender_since, a.sender_previous),
  (3, a.deployer_since, a.deployer_previous)) as k (kind, since, previous)`

const counts = (row: string) =>
  `nullif(concat_ws(', ', 'addresses ' || ${row}.addresses, 'senders ' || ${row}.senders, 'deployers ' || ${row}.deployers), '')`

/**
 * An address counts in an hour unless it was active again within a day, and in a day unless it was active on a later
 * day.
 */
const LAST_COUNTS = `with ${ACTIVE},
  kinds as (select a.hour, a.hour - a.hour % 86400 as day, k.kind, k.previous,
      k.previous - k.previous % 86400 as previous_day
    from active a cross join lateral ${KINDS} where k.since is not null),
  counted as (select 'hour' as period, hour as start, kind, 1 as n from kinds
    union all select 'hour', previous, kind, -1 from kinds where hour - previous < 86400
    union all select 'day', day, kind, 1 from kinds where previous_day is null or previous_day < day
    union all select 'day', previous_day, kind, -1 from kinds where previous_day < day),
  summed as (select period, start, coalesce(sum(n) filter (where kind = 1), 0) as addresses,
      coalesce(sum(n) filter (where kind = 2), 0) as senders, coalesce(sum(n) filter (where kind = 3), 0) as deployers
    from counted group by period, start),
  expected as (select * from summed where addresses <> 0 or senders <> 0 or deployers <> 0)
  select null::int8 as height, period || ' ' || start as of, ${counts('e')} as expected, ${counts('c')} as actual
  from expected e full join last_activity_count c using (period, start)
  where (e.addresses, e.senders, e.deployers) is distinct from (c.addresses, c.senders, c.deployers)
    and (period = 'day' or (start >= ${KEPT_HOUR} and start >= ${KEPT_TOTALS}))`

const COUNTS = ['addresses', 'senders', 'deployers', 'new_addresses', 'new_deployers']
const SUMS =
  `blocks transactions gas fees gas_price_sum gas_price_max creations last_milliseconds max_gas_per_second
  max_transactions_per_second addresses senders deployers new_addresses new_deployers`.split(/\s+/)

/** Returns the names and values of all sums in a row; null if the row is missing. */
const sums = (row: string) =>
  `nullif(concat_ws(', ', ${SUMS.map((column) => `'${column} ' || ${row}.${column}`).join(', ')}), '')`

/**
 * The address counts of a period that starts before the first hour with all transfers are taken as given, and so are all
 * totals of a period that starts before the first hour with all headers.
 */
const ROLLUPS = `with ${ACTIVE},
  kept as materialized (select ${KEPT_HOUR} as hour),
  timed as (select *, lag(time) over earlier as before, lag(time_milliseconds) over earlier as before_milliseconds
    from block window earlier as (order by height)),
  spaced as (select *, coalesce(time_milliseconds - before_milliseconds, 1000 * (time - before)) as elapsed from timed),
  rated as (select *, case when elapsed > 0 then elapsed::float8 / 1000 else 1 end as seconds from spaced),
  summed as materialized (select p.period, p.start, min(height) as height, count(*)::int as blocks, sum(transactions)::int8 as transactions,
      sum(gas_executed) as gas, sum(fees_spent) as fees, sum(gas_price_sum) as gas_price_sum, max(gas_price_max) as gas_price_max,
      sum(contracts)::int8 as creations, max(coalesce(time_milliseconds, 1000 * time)) as last_milliseconds,
      coalesce(max(gas_executed::float8 / seconds) filter (where before is not null), 0) as max_gas_per_second,
      coalesce(max(transactions::float8 / seconds) filter (where before is not null), 0) as max_transactions_per_second
    from rated b cross join lateral ${PERIODS} group by p.period, p.start),
  counted as materialized (select p.period, p.start,
      count(*) filter (where kind = 1 and is_first) as addresses, count(*) filter (where kind = 2 and is_first) as senders,
      count(*) filter (where kind = 3 and is_first) as deployers,
      count(*) filter (where kind = 1 and k.previous is null) as new_addresses,
      count(*) filter (where kind = 3 and k.previous is null) as new_deployers
    from (select *, hour as time from active) b cross join lateral ${KINDS.replaceAll('a.', 'b.')}
    cross join lateral ${PERIODS}
    cross join lateral (select k.previous is null or k.previous < p.start as is_first) as f
    where k.since is not null group by p.period, p.start),
  expected as (select summed.*, ${COUNTS.map(
    (name) => `case when g.period is null then coalesce(counted.${name}, 0) else g.${name} end as ${name}`,
  ).join(', ')}
    from summed cross join kept left join counted using (period, start) left join rollup g
      on g.period = summed.period and g.start = summed.start and g.period <> 'all' and g.start < kept.hour),
  compared as (select e.height, period, start, ${sums('e')} as expected, ${sums('r')} as actual
    from expected e full join rollup r using (period, start))
  select height, period || ' ' || start as of, expected, actual from compared where expected is distinct from actual
    and start >= ${keptHour('blocks')} and (period <> 'hour' or start >= ${KEPT_TOTALS})`

const LOGS = `select height, 'block ' || height as of, 'logs from ' || logs_from as expected, 'no logs' as actual
  from block cross join chain where height >= logs_from and log_digest is null order by height`

const GAPS = `select g.height, 'block ' || g.height as of, 'block ' || encode(g.hash, 'hex') as expected,
    'block ' || encode(b.hash, 'hex') as actual
  from trace_gap g left join block b on b.height = g.height where b.hash is distinct from g.hash order by g.height`

const STALE = `select s.height, 'block ' || s.height as of, 'the block' as expected, null::text as actual
  from stale_digest s left join block b on b.height = s.height where b.height is null order by s.height`

/** Transfers whose values are ids have one form for all transfers of a contract. */
const IDS = `select t.height, ${hex('t.contract')} || ' log ' || t.log_index as of,
    case when c.values_are_ids then 'ERC-721' else 'ERC-20' end as expected, 'ERC-' || t.standard as actual
  from transfer t join contract c on c.address = t.contract
  where case when c.values_are_ids then t.standard = 20 else t.position = ${ID_POSITION} end order by t.height`

/** All checks. The SQL parameter of each statement is the maximum number of rows. */
export const CHECKS: readonly Check[] = [
  { table: 'contract', text: CONTRACTS },
  { table: 'transfer', text: IDS },
  { table: 'token', text: TOKENS },
  { table: 'token_owner', text: OWNERS },
  { table: 'token_balance', text: BALANCES },
  { table: 'token_holder', text: HOLDERS },
  { table: 'item_holder', text: ITEMS },
  { table: 'token_airdrop', text: AIRDROPS },
  { table: 'last_activity', text: LASTS },
  { table: 'last_activity_count', text: LAST_COUNTS },
  { table: 'rollup', text: ROLLUPS },
  { table: 'log', text: LOGS },
  { table: 'trace_gap', text: GAPS },
  { table: 'stale_digest', text: STALE },
  ...ICM_CHECKS,
]
