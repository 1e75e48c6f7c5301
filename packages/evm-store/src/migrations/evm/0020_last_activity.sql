create table pruned_activity (address bytea primary key, last bigint, sender_last bigint);
insert into pruned_activity
  select address, max(hour), max(hour) filter (where sender_since < below)
  from hourly_activity cross join (select max(below) as below from pruned where kind in ('transactions', 'transfers')) as p
  where since < below group by address;
drop table hourly_activity;
create index on creation (creator, height);
