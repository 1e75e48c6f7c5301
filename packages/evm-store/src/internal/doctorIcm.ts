import { Hex } from '@firn/codec'
import { IcmEvents } from '@firn/evm'
import type { Check } from './doctorChecks.ts'

const { TOPICS } = IcmEvents
const topic = (kind: keyof typeof TOPICS) => `'\\${TOPICS[kind].slice(1)}'::bytea`
const hex = (column: string) => `encode(${column}, 'hex')`
const kindOf = (column: string, kinds: readonly (keyof typeof TOPICS)[]) =>
  `case ${column} ${kinds.map((kind) => `when ${topic(kind)} then '${kind}'`).join(' ')} end`
const among = (column: string, kinds: readonly (keyof typeof TOPICS)[]) =>
  `${column} in (${kinds.map(topic).join(', ')})`

/** The blocks whose messages are stored and whose logs are kept. */
const RANGE = `range as materialized (select greatest(p.from_height, c.logs_from,
      (select max(below) from pruned where kind in ('logs', 'messages'))) as first, p.next_height as next
    from icm_progress p cross join chain c where c.logs_from is not null)`
const IN_RANGE = 'l.height >= r.first and l.height < r.next'
const ZEROS = `'\\x${'00'.repeat(12)}'::bytea`
const isAddress = (word: string) => `substr(${word}, 1, 12) = ${ZEROS}`

/** Kinds of events that follow from their log alone. */
const PLAIN = ['executed', 'feeAdded', 'receipt', 'redeemed'] as const
const HAS_FEE = `octet_length(l.data) >= 64 and ${isAddress('l.data')}`
/** The logs that are events, by their topics and data. */
const FITS = `case l.topic0
    when ${topic('executed')} then l.topic2 is not null and l.topic3 is null
    when ${topic('feeAdded')} then l.topic1 is not null and l.topic2 is null and ${HAS_FEE}
    when ${topic('receipt')} then l.topic3 is not null and ${isAddress('l.topic3')} and ${HAS_FEE}
    else l.topic2 is not null and l.topic3 is null and ${isAddress('l.topic1')} and ${isAddress('l.topic2')}
      and octet_length(l.data) >= 32 end`
const text = (row: string) =>
  `nullif(concat_ws(' ', ${row}.kind, ${['contract', 'message_id', 'relayer', 'fee_token'].map((name) => hex(`${row}.${name}`)).join(', ')}), '')`

const EVENTS = `with ${RANGE},
  expected as materialized (select l.height, l.log_index, ${kindOf('l.topic0', PLAIN)} as kind, l.address as contract,
      case when l.topic0 <> ${topic('redeemed')} then l.topic1 end as message_id,
      case l.topic0 when ${topic('receipt')} then substr(l.topic3, 13) when ${topic('redeemed')} then substr(l.topic1, 13) end
        as relayer,
      case l.topic0 when ${topic('redeemed')} then substr(l.topic2, 13) when ${topic('executed')} then null
        else substr(l.data, 13, 20) end as fee_token
    from log l cross join range r where ${IN_RANGE} and ${among('l.topic0', PLAIN)} and ${FITS}),
  stored as materialized (select l.height, l.log_index, l.kind, l.contract, l.message_id, l.relayer, l.fee_token
    from icm_event l cross join range r where l.height >= r.first and l.kind in (${PLAIN.map((kind) => `'${kind}'`).join(', ')}))
  select height, 'log ' || log_index as of, ${text('e')} as expected, ${text('s')} as actual
  from expected e full join stored s using (height, log_index) where ${text('e')} is distinct from ${text('s')}
  order by height`

/** Whether such a log is a message depends on its contents, so only the logs of stored rows are compared. */
const LOGGED = ['sent', 'received', 'failed'] as const
const MESSAGES = `with ${RANGE},
  logs as materialized (select l.height, l.log_index, ${kindOf('l.topic0', LOGGED)} as kind, l.address, l.topic1, l.topic2
    from log l cross join range r where ${IN_RANGE} and ${among('l.topic0', LOGGED)}),
  stored as materialized (select l.height, l.log_index, case when is_sent then 'sent' else 'received' end as kind, contract,
      message_id, case when is_sent then destination else source end as other
    from icm_message l cross join range r where l.height >= r.first
    union all select l.height, l.log_index, case kind when 'resent' then 'sent' else kind end, contract, message_id, null
    from icm_event l cross join range r where l.height >= r.first and kind in ('resent', 'failed'))
  select s.height, 'log ' || s.log_index as of, 'no message' as expected,
    s.kind || ' ' || ${hex('s.message_id')} as actual
  from stored s left join logs l using (height, log_index)
  where (l.kind, l.address, l.topic1) is distinct from (s.kind, s.contract, s.message_id) or s.other <> l.topic2
  order by s.height`

/** Topic 0 of the Warp precompile. */
const WARP_TOPIC = `'\\x${Hex.encodeBare(IcmEvents.ALL_TOPICS[0] as Uint8Array)}'::bytea`
const WARP = `with ${RANGE},
  logs as materialized (select l.height, l.log_index, l.transaction_index, l.topic2 as warp_id
    from log l cross join range r where ${IN_RANGE} and l.topic0 = ${WARP_TOPIC}
      and l.address = '\\x0200000000000000000000000000000000000005'),
  stored as materialized (select height, transaction_index, warp_id from icm_message where is_sent
    union all select height, transaction_index, message_id from icm_event where kind in ('warp', 'resent'))
  select l.height, 'log ' || l.log_index as of, 'Warp message ' || ${hex('l.warp_id')} as expected, null as actual
  from logs l where not exists (select from stored s where s.height = l.height
    and s.transaction_index = l.transaction_index
    and (s.warp_id = l.warp_id or exists (select from icm_event e where e.height = s.height
      and e.transaction_index = s.transaction_index and e.kind = 'resent')))
  order by l.height`

const PLACES = `with stored as materialized (
    select height, log_index, transaction_index, transaction_hash, gas_used, time from icm_message
    union all select height, log_index, transaction_index, transaction_hash, gas_used, time from icm_event),
  blocks as materialized (select height, time from block where height in (select height from stored)),
  transactions as materialized (select height, transaction_index, hash, gas_used from transaction
    where height in (select height from stored))
  select s.height, 'log ' || s.log_index as of, concat_ws(' ', 'time', b.time, ${hex('t.hash')}, 'gas', t.gas_used) as expected,
    concat_ws(' ', 'time', s.time, ${hex('s.transaction_hash')}, 'gas', s.gas_used) as actual
  from stored s left join blocks b using (height) left join transactions t using (height, transaction_index)
  where b.time <> s.time or t.hash <> s.transaction_hash or t.gas_used <> s.gas_used
    or s.height >= (select next_height from icm_progress)
  order by s.height`

/** Citus rejects a subquery without columns if it runs on other servers than the statement. */
const KEPT = `coalesce((select max(time) + 1 from icm_message where height <= (select below from pruned where kind = 'messages')),
    case when exists (select 1 from pruned where kind = 'messages') then (select max(time) + 1 from block
      where height <= (select below from pruned where kind = 'messages')) end, 0)`
const HOURS = `coalesce((select below from pruned where kind = 'metrics'), 0)`

/** The counts of periods that start before the kept messages are taken as given. */
const COUNTS = `with counted as materialized (select p.period, p.start, is_sent, source, destination, count(*) as messages
    from icm_message b cross join lateral (values ('hour', b.time - b.time % 3600), ('day', b.time - b.time % 86400),
      ('week', extract(epoch from date_trunc('week', to_timestamp(b.time) at time zone 'utc'))::int8),
      ('month', extract(epoch from date_trunc('month', to_timestamp(b.time) at time zone 'utc'))::int8), ('all', 0::int8))
      as p (period, start) group by p.period, p.start, is_sent, source, destination)
  select null::int8 as height, period || ' ' || start || ' ' || ${hex('source')} || ' to ' || ${hex('destination')} as of,
    'messages ' || e.messages as expected, 'messages ' || c.messages as actual
  from counted e full join icm_count c using (period, start, is_sent, source, destination)
  where e.messages is distinct from c.messages and start >= ${KEPT} and (period <> 'hour' or start >= ${HOURS})`

const TWICE = `select max(height) as height, ${hex('message_id')} as of, 'once' as expected, count(*) || ' times' as actual
  from icm_message group by message_id, is_sent having count(*) > 1 order by 1`

/** The checks of interchain messages. */
export const ICM_CHECKS: readonly Check[] = [
  { table: 'icm_event', text: EVENTS },
  { table: 'icm_message', text: MESSAGES },
  { table: 'icm_event', text: WARP },
  { table: 'icm_message', text: PLACES },
  { table: 'icm_count', text: COUNTS },
  { table: 'icm_message', text: TWICE },
]
