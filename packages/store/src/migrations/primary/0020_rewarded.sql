create table rewarded (chain text not null, address bytea not null, name text not null, height bigint not null, position int not null, since bigint not null, primary key (address, height, position, chain));
create index on rewarded (address, name, height, position);
alter table cursor add column rewarded bigint;
