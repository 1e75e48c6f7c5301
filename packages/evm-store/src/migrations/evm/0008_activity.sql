create table hourly_activity (
  hour bigint not null,
  address bytea not null,
  since bigint,
  sender_since bigint,
  deployer_since bigint,
  previous bigint,
  sender_previous bigint,
  deployer_previous bigint
) with (fillfactor = 90);
create table last_activity (
  address bytea not null,
  last bigint,
  sender_last bigint,
  deployer_last bigint
) with (fillfactor = 70);
create table last_activity_count (
  period text not null,
  start bigint not null,
  addresses bigint not null,
  senders bigint not null,
  deployers bigint not null
) with (fillfactor = 50);
insert into hourly_activity
  select start, address, since, sender_since, deployer_since,
    case when since is not null then max(start) filter (where since is not null) over earlier end,
    case when sender_since is not null then max(start) filter (where sender_since is not null) over earlier end,
    case when deployer_since is not null then max(start) filter (where deployer_since is not null) over earlier end
  from active_address where period = 'hour'
  window earlier as (partition by address order by start rows between unbounded preceding and 1 preceding);
insert into last_activity
  select address, max(hour) filter (where since is not null), max(hour) filter (where sender_since is not null),
    max(hour) filter (where deployer_since is not null)
  from hourly_activity group by address;
insert into last_activity_count
  select period, start, coalesce(sum(n) filter (where kind = 1), 0), coalesce(sum(n) filter (where kind = 2), 0),
    coalesce(sum(n) filter (where kind = 3), 0)
  from hourly_activity
    cross join lateral (values (1, since, previous), (2, sender_since, sender_previous),
      (3, deployer_since, deployer_previous)) as k (kind, since, previous)
    cross join lateral (values ('hour', hour, 1, true), ('hour', k.previous, -1, hour - k.previous < 86400),
      ('day', hour - hour % 86400, 1, k.previous is null or k.previous < hour - hour % 86400),
      ('day', k.previous - k.previous % 86400, -1, k.previous < hour - hour % 86400)) as c (period, start, n, is_counted)
  where k.since is not null and is_counted
  group by period, start;
delete from last_activity_count where addresses = 0 and senders = 0 and deployers = 0;
alter table hourly_activity add primary key (hour, address);
alter table last_activity add primary key (address);
alter table last_activity_count add primary key (period, start);
drop table active_address;
