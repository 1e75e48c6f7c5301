create table network (network_id bigint primary key, genesis bytea not null, genesis_id bytea not null,
    upgrades jsonb, settings jsonb not null);
create table writer (fence bigint not null);
insert into writer values (0);
create table cursor (chain text primary key, height bigint not null, block_id bytea not null, time bigint not null);
create table block (chain text not null, height bigint not null, id bytea not null, parent_id bytea not null, time bigint not null,
      container_id bytea, container bytea not null, inner_offset int not null, inner_length int not null, accepted_at bigint,
      transactions int not null, state bytea, digest bytea not null, primary key (chain, height)) partition by list (chain);
alter table block alter column container set storage external;
create table block_p partition of block for values in ('P') partition by range (height);
create table block_x partition of block for values in ('X') partition by range (height);
create table block_c partition of block for values in ('C') partition by range (height);
create index on block (id);
create index on block (container_id) where container_id is not null;
create index on block (time, height);
create table transaction (chain text not null, height bigint not null, position int not null, id bytea not null, name text not null,
      status text not null, decided_height bigint not null, bytes bytea not null, primary key (chain, height, position)) partition by list (chain);
alter table transaction alter column bytes set storage external;
create table transaction_p partition of transaction for values in ('P') partition by range (height);
create table transaction_x partition of transaction for values in ('X') partition by range (height);
create table transaction_c partition of transaction for values in ('C') partition by range (height);
create index on transaction (id);
create table transaction_address (chain text not null, address bytea not null, name text not null, height bigint not null, position int not null,
      primary key (address, height, position, chain)) partition by list (chain);
create table transaction_address_p partition of transaction_address for values in ('P') partition by range (height);
create table transaction_address_x partition of transaction_address for values in ('X') partition by range (height);
create table transaction_address_c partition of transaction_address for values in ('C') partition by range (height);
create index on transaction_address (address, name, height, position);
create table utxo (id bytea not null, chain text not null, source text not null, height bigint not null, ordinal int not null,
      time bigint not null, tx_id bytea not null, output_index int not null, asset_id bytea not null, output bytea not null,
      output_type int not null, amount numeric(20), locktime numeric(20) not null, stakeable_locktime numeric(20),
      threshold int not null, addresses bytea[] not null, origin text not null, reward_tx_id bytea, consumed_height bigint,
      consumed_tx_id bytea, consumed_time bigint, primary key (source, height, ordinal)) partition by list (source);
create table utxo_p partition of utxo for values in ('P') partition by range (height);
create table utxo_x partition of utxo for values in ('X') partition by range (height);
create table utxo_c partition of utxo for values in ('C') partition by range (height);
create index on utxo (id);
create index on utxo (tx_id);
create index on utxo (consumed_tx_id) where consumed_tx_id is not null;
create index on utxo (reward_tx_id) where reward_tx_id is not null;
create table utxo_address (address bytea not null, chain text not null, source text not null, height bigint not null, ordinal int not null,
      id bytea not null, consumed_height bigint, primary key (source, height, ordinal, address)) partition by list (source);
create table utxo_address_p partition of utxo_address for values in ('P') partition by range (height);
create table utxo_address_x partition of utxo_address for values in ('X') partition by range (height);
create table utxo_address_c partition of utxo_address for values in ('C') partition by range (height);
create index on utxo_address (address, chain, height desc, ordinal desc) where consumed_height is null;
create index on utxo_address (address, consumed_height desc) where consumed_height is not null;
create table staker (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, subnet_id bytea not null, node_id bytea not null, role text not null, kind text not null, status text not null,
      priority int not null, start_time bigint not null, end_time bigint not null, weight numeric(20) not null,
      stake_addresses bytea[] not null, reward_addresses bytea[] not null, primary key (key, since));
create unique index on staker (key) where until is null;
create index on staker (until);
create index on staker (subnet_id, node_id);
create index on staker using gin (stake_addresses);
create index on staker using gin (reward_addresses);
create table subnet (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, created_height bigint not null, created_ordinal int not null, primary key (key, since));
create unique index on subnet (key) where until is null;
create index on subnet (until);
create index on subnet (created_height desc, created_ordinal desc);
create table blockchain (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, subnet_id bytea not null, created_height bigint not null, created_ordinal int not null, primary key (key, since));
create unique index on blockchain (key) where until is null;
create index on blockchain (until);
create index on blockchain (subnet_id);
create index on blockchain (created_height desc, created_ordinal desc);
create table supply (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, primary key (key, since));
create unique index on supply (key) where until is null;
create index on supply (until);
create table l1_validator (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, subnet_id bytea not null, node_id bytea not null, weight numeric(20) not null, active boolean not null,
      end_accumulated_fee numeric(20) not null, primary key (key, since));
create unique index on l1_validator (key) where until is null;
create index on l1_validator (until);
create index on l1_validator (subnet_id, node_id);
create index on l1_validator (node_id);
create table expiry (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, primary key (key, since));
create unique index on expiry (key) where until is null;
create index on expiry (until);
create table member (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, subnet_id bytea not null, node_id bytea not null, weight numeric(20) not null, public_key bytea, primary key (key, since));
create unique index on member (key) where until is null;
create index on member (until);
create index on member (subnet_id, until);
create table asset (key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null, name text not null, symbol text not null, denomination int not null, primary key (key, since));
create unique index on asset (key) where until is null;
create index on asset (until);
