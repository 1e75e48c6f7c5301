create index on utxo_x (asset_id, height);
create index on utxo (asset_id, consumed_height) where chain = 'X' and consumed_height is not null;
