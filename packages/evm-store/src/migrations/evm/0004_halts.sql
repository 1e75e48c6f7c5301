alter table chain add column genesis_hash bytea;
alter table cursor add column halted text;
alter table writer add column reserved bigint not null default 0;
