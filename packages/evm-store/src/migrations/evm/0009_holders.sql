create table token_holder (
  contract bytea not null,
  standard int not null,
  address bytea not null,
  since bigint not null,
  balance numeric not null,
  peak numeric not null,
  peak_since bigint not null
) with (fillfactor = 80);
insert into token_holder
  select contract, standard, address, max(since), (array_agg(balance order by since desc))[1], max(balance),
    (array_agg(since order by balance desc, since))[1]
  from token_balance where standard <> 1155 group by contract, standard, address;
alter table token_holder add primary key (contract, standard, address);
create index on token_holder (contract, standard, (- balance), address, peak);
create index on token_holder (contract, standard, peak) where peak > balance;
