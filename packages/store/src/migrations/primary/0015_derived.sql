create table proposal (chain text not null, node_id bytea not null, height bigint not null, primary key (node_id, chain, height));
create table burned (chain text not null, day bigint not null, fee numeric(20) not null, deposited numeric(20) not null, primary key (chain, day));
create table underived (name text not null, chain text not null, until bigint not null, height bigint not null, position int not null, primary key (name, chain));
alter table cursor add column derived bigint;
