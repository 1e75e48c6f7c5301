alter table pruned_activity add column deployer_last bigint;
