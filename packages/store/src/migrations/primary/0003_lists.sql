create index on utxo using gin (addresses) where reward_tx_id is not null;
