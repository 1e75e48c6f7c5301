create table fetched_vertex (id bytea not null, height bigint not null, parent_ids bytea[] not null, bytes bytea not null, primary key (id));
alter table fetched_vertex alter column bytes set storage external;
create index on fetched_vertex (height, id);
