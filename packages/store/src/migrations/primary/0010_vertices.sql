create table vertex (position int not null, id bytea not null, height bigint not null, parent_ids bytea[] not null, bytes bytea not null, primary key (position));
alter table vertex alter column bytes set storage external;
create index on vertex (id);
create index on vertex (height, position);
create table vertex_transaction (vertex int not null, ordinal int not null, position int not null, primary key (vertex, ordinal));
create index on vertex_transaction (position);
create table waiting_transaction (position int not null, ordinal int not null, id bytea not null, bytes bytea not null, primary key (position));
alter table waiting_transaction alter column bytes set storage external;
