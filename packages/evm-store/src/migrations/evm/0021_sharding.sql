create table sharding (shards int not null, is_complete boolean not null);
create table height_shard (height bigint not null, primary key (height));
create table address_shard (address bytea not null, primary key (address));
