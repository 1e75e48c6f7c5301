create index on utxo (asset_id) where consumed_height is null and (locktime > 0 or stakeable_locktime > 0);
