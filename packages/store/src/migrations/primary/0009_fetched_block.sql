create table fetched_block (chain text not null, height bigint not null, id bytea not null, parent_id bytea not null, bytes bytea not null, primary key (chain, height));
alter table fetched_block alter column bytes set storage external;
create index on fetched_block (id);
