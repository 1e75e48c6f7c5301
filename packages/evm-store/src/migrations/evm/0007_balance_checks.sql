create table wrapping (height bigint not null, log_index bigint not null, contract bytea not null, address bytea not null,
    amount numeric not null, primary key (height, log_index)) partition by range (height);
alter table token_balance add column wrapped numeric not null default 0;
create table checked_range (first bigint not null, last bigint not null, primary key (first));
create table token_check (contract bytea not null, since bigint not null, height bigint not null, basis text not null,
    class text not null, agreements int not null, agreed_from bigint, checked_to bigint not null, due bigint,
    primary key (contract, since));
create index on token_check (height);
create index on token_check (due) where due is not null;
create table unchecked_balance (contract bytea not null, standard int not null, token_id numeric not null,
    address bytea not null, since bigint not null, primary key (contract, standard, token_id, address));
create index on unchecked_balance (since);
create table balance_reading (contract bytea not null, standard int not null, token_id numeric not null,
    address bytea not null, height bigint not null, balance numeric not null,
    primary key (address, standard, contract, token_id, height));
create index on balance_reading (height);
create index on balance_reading (contract, height);
