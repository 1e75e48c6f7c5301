create table current_holder (
  since bigint not null,
  peak_since bigint,
  standard int not null,
  contract bytea not null,
  address bytea not null,
  balance numeric not null,
  wrapped numeric not null default 0,
  peak numeric
);
insert into current_holder
  select h.since, case when h.peak_since <> h.since then h.peak_since end, h.standard, h.contract, h.address, h.balance,
    b.wrapped, case when h.peak_since <> h.since then h.peak end
  from token_holder h join token_balance b using (address, standard, contract, since) where b.token_id = 0;
create table earlier_balance (
  since bigint not null,
  standard int not null,
  contract bytea not null,
  address bytea not null,
  token_id numeric not null,
  balance numeric not null,
  wrapped numeric not null default 0
);
insert into earlier_balance
  select b.since, b.standard, b.contract, b.address, b.token_id, b.balance, b.wrapped from token_balance b
    left join token_holder h on h.address = b.address and h.standard = b.standard and h.contract = b.contract
      and h.since = b.since and b.token_id = 0
  where h.since is null;
drop table token_holder, token_balance;
alter table current_holder rename to token_holder;
alter table earlier_balance rename to token_balance;
alter table token_holder add primary key (standard, address, contract);
create index on token_holder (standard, contract, (- balance), address, coalesce(peak, 0::numeric));
create index on token_holder (standard, contract, peak) where peak > balance;
alter table token_balance add primary key (address, standard, contract, token_id, since);
create index on token_balance (contract, balance) where standard = 1155 or wrapped <> 0;
analyze token_holder;
analyze token_balance;
