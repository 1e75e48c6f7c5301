alter table block add column contracts int not null default 0;
update block b set contracts = c.contracts
  from (select height, count(*)::int as contracts from creation where succeeded group by height) as c where b.height = c.height;
create temporary table created_contract on commit drop as
  select c.height, case when chain.has_traces then c.creator end as creator, count(*) as contracts
  from creation c cross join chain where c.succeeded group by 1, 2;
create temporary table contract_hour on commit drop as
  select height, creator, contracts, hour from (select *, max(start) over (order by height) as hour from (
      select height, creator, contracts, null::bigint as start from created_contract union all
      select cursor.height - sum(r.blocks) over (partition by r.period order by r.start desc) + 1, null, 0, r.start
      from rollup r cross join cursor where r.period in ('hour', 'day')) as placed) as timed
  where contracts > 0;
analyze contract_hour;
update rollup set creations = 0, deployers = 0, new_deployers = 0;
update rollup r set creations = e.creations, deployers = e.deployers, new_deployers = e.new_deployers
  from (select p.period, p.start, sum(contracts) as creations, count(distinct creator) as deployers,
      count(distinct creator) filter (where hour = first) as new_deployers
    from (select *, min(hour) over (partition by creator) as first from contract_hour) as h
    cross join lateral (values ('hour', hour), ('day', hour - hour % 86400),
      ('week', extract(epoch from date_trunc('week', timestamp 'epoch' + hour * interval '1 second'))::bigint),
      ('month', extract(epoch from date_trunc('month', timestamp 'epoch' + hour * interval '1 second'))::bigint),
      ('all', 0)) as p (period, start)
    group by p.period, p.start) as e
  where r.period = e.period and r.start = e.start;
update last_activity_count set deployers = 0 where deployers <> 0;
insert into last_activity_count (period, start, addresses, senders, deployers)
  select period, start, 0, 0, count(*)
  from (select *, lead(start) over (partition by period, creator order by start) as next
    from (select distinct creator, p.period, p.start from contract_hour
      cross join lateral (values ('hour', hour), ('day', hour - hour % 86400)) as p (period, start)
      where creator is not null) as active) as followed
  where (next is null or period = 'hour' and next - start >= 86400)
    and (period = 'day' or start >= (select coalesce(max(below), 0) from pruned where kind = 'metrics'))
  group by period, start
  on conflict (period, start) do update set deployers = excluded.deployers;
delete from last_activity_count where addresses = 0 and senders = 0 and deployers = 0;
update last_activity set deployer_last = null where deployer_last is not null;
with d as materialized (select creator, max(hour) as last from contract_hour where creator is not null group by creator)
  update last_activity a set deployer_last = d.last from d where a.address = d.creator;
delete from last_activity where last is null and sender_last is null and deployer_last is null;
update pruned_activity set deployer_last = null where deployer_last is not null;
with d as materialized (select creator, max(hour) as last from contract_hour where creator is not null
    and height < (select max(below) from pruned where kind = 'blocks') group by creator)
  update pruned_activity p set deployer_last = d.last from d where p.address = d.creator;
delete from pruned_activity where last is null and sender_last is null and deployer_last is null;
