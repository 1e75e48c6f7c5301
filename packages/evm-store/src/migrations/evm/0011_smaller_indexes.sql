drop index token_balance_contract_balance_idx;
create index on token_balance (contract, balance) where standard = 1155 or wrapped <> 0;
alter table token_holder reset (fillfactor);
drop index transaction_hash_idx;
create index on transaction using hash (hash);
