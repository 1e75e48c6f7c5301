create table contract_due (contract bytea primary key, attempts int not null, due bigint not null);
create index on contract_due (due);
create table contract_version (contract bytea not null, height bigint not null, standard int not null, name bytea, symbol bytea, decimals int,
  primary key (contract, height));
create index on contract_version (height);
insert into contract_due select address, 0, 0 from contract c
  where (standard = 0 or name is null or symbol is null or standard = 20 and decimals is null)
    and exists (select from transfer t where t.contract = c.address and t.standard <> 1155);
