create index on transfer (contract, token_id, height, log_index, position) where token_id is not null;
create table item_holder (contract bytea not null, token_id numeric not null, address bytea not null, balance numeric not null);
insert into item_holder
  select contract, token_id, address, balance from (
    select distinct on (address, contract, token_id) address, contract, token_id, balance from token_balance
      where standard = 1155 order by address, contract, token_id, since desc) as newest
  where balance <> 0;
insert into item_holder
  select contract, -1, address, sum(balance) from item_holder group by contract, address having sum(balance) <> 0;
alter table item_holder add primary key (address, contract, token_id);
create index on item_holder (contract, token_id, (- balance), address);
analyze item_holder;
create table token_airdrop (contract bytea not null, airdropped bigint not null, others bigint not null) with (fillfactor = 70);
insert into token_airdrop
  select contract, sum(case when recipients >= 10 then delivered else 0 end)::bigint,
    sum(case when recipients >= 10 then transfers - delivered else transfers end)::bigint
  from (select contract, count(*) as transfers, count(recipient) as delivered, count(distinct recipient) as recipients
    from (select t.height, t.transaction_index, t.contract,
        case when t.recipient <> x.sender and t.recipient <> decode(repeat('00', 20), 'hex') then t.recipient end as recipient
      from transfer t join transaction x on x.height = t.height and x.transaction_index = t.transaction_index) as t
    group by height, transaction_index, contract) as grouped
  group by contract;
alter table token_airdrop add primary key (contract);
