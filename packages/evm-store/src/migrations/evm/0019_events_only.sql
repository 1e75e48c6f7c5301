alter table chain add events_only boolean not null default false;
create table log_transaction (height bigint not null, transaction_index int not null, hash bytea not null, primary key (height, transaction_index));
create table log_selection (topic0 bytea not null, address bytea not null, from_height bigint not null, primary key (topic0, address));
