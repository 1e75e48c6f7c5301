create index on transaction (name, height, position) where name in ('AddValidatorTx', 'AddDelegatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx', 'AddPermissionlessDelegatorTx', 'AddAutoRenewedValidatorTx');
create index on staker (start_time) where until is null;
create index on l1_validator (key, since desc);
