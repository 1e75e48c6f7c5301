alter table contract add column proxy text, add column implementation bytea, add column beacon bytea;
alter table contract_version add column proxy text, add column implementation bytea, add column beacon bytea;
create index on contract (beacon) where beacon is not null;
insert into contract_due (contract, attempts, due) select address, 2, 0 from contract on conflict do nothing;
