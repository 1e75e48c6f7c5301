alter table contract add column values_are_ids boolean;
create index on contract (address) where values_are_ids;
insert into contract_due (contract, attempts, due)
  select distinct h.contract, 2, 0::bigint from token_holder h join contract c on c.address = h.contract
    where h.standard = 20 and c.decimals is null and c.standard in (0, 20, 721)
  on conflict do nothing;
