create index on staker (role, start_time, key) where until is null;
create index on staker (role, start_time, key) where until is not null;
create index on staker (start_time, key) where until is not null and kind = 'permissioned';
create index on staker (node_id, role, until);
