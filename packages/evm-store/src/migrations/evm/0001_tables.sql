create table chain (chain_id numeric primary key, name text not null, network text not null, blockchain_id bytea,
    subnet_id bytea, token_name text not null, token_symbol text not null, token_decimals int not null,
    first_height bigint not null, has_traces boolean not null);
create table writer (fence bigint not null);
insert into writer values (0);
create table cursor (height bigint not null, hash bytea not null, time bigint not null, sequence bigint not null);
create table block (height bigint not null, hash bytea not null, parent_hash bytea not null, time bigint not null,
      time_milliseconds bigint, min_delay_excess bigint, base_fee numeric, gas_limit numeric not null, gas_used numeric not null,
      block_gas_cost numeric, transactions int not null, cumulative_transactions bigint not null, gas_executed numeric not null,
      fees_spent numeric not null, gas_price_sum numeric not null, gas_price_max numeric, creations int not null,
      digest bytea not null, chain_digest bytea not null, primary key (height)) partition by range (height);
create index on block (hash);
create index on block (time, height);
create table transaction (height bigint not null, transaction_index int not null, hash bytea not null, type int not null, sender bytea not null,
      recipient bytea, created bytea, nonce numeric not null, value numeric not null, selector bytea not null, input bytea not null,
      max_fee_per_gas numeric, max_priority_fee_per_gas numeric, gas_limit numeric not null, gas_used numeric not null,
      gas_price numeric not null, succeeded boolean not null, primary key (height, transaction_index)) partition by range (height);
create index on transaction (hash);
create index on transaction (sender, height, transaction_index);
create index on transaction (recipient, height, transaction_index);
create index on transaction (height, transaction_index) where not succeeded;
create table transfer (height bigint not null, log_index bigint not null, position int not null, transaction_index int not null,
      standard int not null, contract bytea not null, sender bytea not null, recipient bytea not null, token_id numeric,
      amount numeric not null, primary key (height, log_index, position)) partition by range (height);
create index on transfer (sender, standard, height, log_index, position);
create index on transfer (recipient, standard, height, log_index, position);
create index on transfer (contract, height, log_index, position);
create table internal_call (height bigint not null, transaction_index int not null, position int not null, type text not null,
      sender bytea not null, recipient bytea, value numeric not null, gas numeric not null, gas_used numeric not null,
      succeeded boolean not null, primary key (height, transaction_index, position)) partition by range (height);
create index on internal_call (sender, height, transaction_index, position);
create index on internal_call (recipient, height, transaction_index, position);
create table creation (height bigint not null, transaction_index int not null, position int not null, opcode text not null, contract bytea,
      deployer bytea not null, creator bytea not null, succeeded boolean not null,
      primary key (height, transaction_index, position)) partition by range (height);
create index on creation (deployer, height, transaction_index, position) where succeeded;
create index on creation (contract);
create table contract (address bytea primary key, since bigint not null, standard int not null, name bytea, symbol bytea,
    decimals int);
create table token (contract bytea not null, token_id numeric not null, standard int not null, since bigint not null,
    primary key (contract, token_id));
create table token_unseen (contract bytea not null, token_id numeric not null, standard int not null,
    since bigint not null, primary key (contract, token_id));
create index on token_unseen (since, contract, token_id);
create table token_owner (contract bytea not null, token_id numeric not null, since bigint not null, until bigint,
    owner bytea not null, primary key (contract, token_id, since));
create index on token_owner (owner, contract, token_id) where until is null;
create index on token_owner (owner, until) where until is not null;
create table token_balance (contract bytea not null, standard int not null, token_id numeric not null,
    address bytea not null, since bigint not null, balance numeric not null,
    primary key (address, standard, contract, token_id, since));
create index on token_balance (contract, balance);
create table token_metadata (contract bytea not null, token_id numeric not null, uri text not null,
    index_status text not null, checked_at bigint not null, attempts int not null, retry_at bigint, metadata jsonb,
    primary key (contract, token_id));
create index on token_metadata (retry_at) where retry_at is not null;
create table rollup (period text not null, start bigint not null, blocks int not null, transactions bigint not null,
    gas numeric not null, fees numeric not null, gas_price_sum numeric not null, gas_price_max numeric, creations bigint not null,
    addresses bigint not null, senders bigint not null, deployers bigint not null, new_addresses bigint not null,
    new_deployers bigint not null, last_milliseconds bigint not null, max_gas_per_second double precision not null,
    max_transactions_per_second double precision not null, primary key (period, start));
create table active_address (period text not null, start bigint not null, address bytea not null, since bigint,
    sender_since bigint, deployer_since bigint, primary key (period, start, address)) with (fillfactor = 80);
create index on active_address (period, start, address) where deployer_since is not null;
create table change (sequence bigint primary key, undone boolean not null, height bigint not null, hash bytea not null,
    parent_hash bytea not null, time bigint not null);
