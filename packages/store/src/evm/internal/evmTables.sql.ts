/** A table that has a partition for each span of heights. */
interface Growing {
  readonly columns: string
  readonly indexes: readonly string[]
}

const GROWING: Readonly<Record<string, Growing>> = {
  block: {
    columns: `height bigint not null, hash bytea not null, parent_hash bytea not null, time bigint not null,
      time_milliseconds bigint, min_delay_excess bigint, base_fee numeric, gas_limit numeric not null, gas_used numeric not null,
      block_gas_cost numeric, transactions int not null, cumulative_transactions bigint not null, gas_executed numeric not null,
      fees_spent numeric not null, gas_price_sum numeric not null, gas_price_max numeric, creations int not null,
      digest bytea not null, chain_digest bytea not null, primary key (height)`,
    indexes: ['(hash)', '(time, height)'],
  },
  transaction: {
    columns: `height bigint not null, transaction_index int not null, hash bytea not null, type int not null, sender bytea not null,
      recipient bytea, created bytea, nonce numeric not null, value numeric not null, selector bytea not null, input bytea not null,
      max_fee_per_gas numeric, max_priority_fee_per_gas numeric, gas_limit numeric not null, gas_used numeric not null,
      gas_price numeric not null, succeeded boolean not null, primary key (height, transaction_index)`,
    indexes: [
      '(hash)',
      '(sender, height, transaction_index)',
      '(recipient, height, transaction_index)',
      '(height, transaction_index) where not succeeded',
    ],
  },
  transfer: {
    columns: `height bigint not null, log_index bigint not null, position int not null, transaction_index int not null,
      standard int not null, contract bytea not null, sender bytea not null, recipient bytea not null, token_id numeric,
      amount numeric not null, primary key (height, log_index, position)`,
    indexes: [
      '(sender, standard, height, log_index, position)',
      '(recipient, standard, height, log_index, position)',
      '(contract, height, log_index, position)',
    ],
  },
  internal_call: {
    columns: `height bigint not null, transaction_index int not null, position int not null, type text not null,
      sender bytea not null, recipient bytea, value numeric not null, gas numeric not null, gas_used numeric not null,
      succeeded boolean not null, primary key (height, transaction_index, position)`,
    indexes: [
      '(sender, height, transaction_index, position)',
      '(recipient, height, transaction_index, position)',
    ],
  },
  creation: {
    columns: `height bigint not null, transaction_index int not null, position int not null, opcode text not null, contract bytea,
      deployer bytea not null, creator bytea not null, succeeded boolean not null,
      primary key (height, transaction_index, position)`,
    indexes: ['(deployer, height, transaction_index, position) where succeeded', '(contract)'],
  },
}

/** The names of the tables that have a partition for each span of heights. */
export const EVM_PARTITIONED: readonly string[] = Object.keys(GROWING)

/** The first version of a chain's schema. */
export function* evmStatements(): Iterable<string> {
  yield `create table chain (chain_id numeric primary key, name text not null, network text not null, blockchain_id bytea,
    subnet_id bytea, token_name text not null, token_symbol text not null, token_decimals int not null,
    first_height bigint not null, has_traces boolean not null)`
  yield 'create table writer (fence bigint not null)'
  yield 'insert into writer values (0)'
  yield 'create table cursor (height bigint not null, hash bytea not null, time bigint not null, sequence bigint not null)'
  for (const [name, { columns, indexes }] of Object.entries(GROWING)) {
    yield `create table ${name} (${columns}) partition by range (height)`
    for (const index of indexes) yield `create index on ${name} ${index}`
  }
  yield* tokenStatements()
  yield `create table rollup (period text not null, start bigint not null, blocks int not null, transactions bigint not null,
    gas numeric not null, fees numeric not null, gas_price_sum numeric not null, gas_price_max numeric, creations bigint not null,
    addresses bigint not null, senders bigint not null, deployers bigint not null, new_addresses bigint not null,
    new_deployers bigint not null, last_milliseconds bigint not null, max_gas_per_second double precision not null,
    max_transactions_per_second double precision not null, primary key (period, start))`
  yield `create table active_address (period text not null, start bigint not null, address bytea not null, since bigint,
    sender_since bigint, deployer_since bigint, primary key (period, start, address)) with (fillfactor = 80)`
  yield 'create index on active_address (period, start, address) where deployer_since is not null'
  yield `create table change (sequence bigint primary key, undone boolean not null, height bigint not null, hash bytea not null,
    parent_hash bytea not null, time bigint not null)`
}

/** What tells another chain of the same id from the stored one, and keeps numbers of changes from being used again. */
export function* haltStatements(): Iterable<string> {
  yield 'alter table chain add column genesis_hash bytea'
  yield 'alter table cursor add column halted text'
  yield 'alter table writer add column reserved bigint not null default 0'
}

function* tokenStatements(): Iterable<string> {
  yield `create table contract (address bytea primary key, since bigint not null, standard int not null, name bytea, symbol bytea,
    decimals int)`
  yield `create table token (contract bytea not null, token_id numeric not null, standard int not null, since bigint not null,
    primary key (contract, token_id))`
  yield `create table token_unseen (contract bytea not null, token_id numeric not null, standard int not null,
    since bigint not null, primary key (contract, token_id))`
  yield 'create index on token_unseen (since, contract, token_id)'
  yield `create table token_owner (contract bytea not null, token_id numeric not null, since bigint not null, until bigint,
    owner bytea not null, primary key (contract, token_id, since))`
  yield 'create index on token_owner (owner, contract, token_id) where until is null'
  yield 'create index on token_owner (owner, until) where until is not null'
  yield `create table token_balance (contract bytea not null, standard int not null, token_id numeric not null,
    address bytea not null, since bigint not null, balance numeric not null,
    primary key (address, standard, contract, token_id, since))`
  yield 'create index on token_balance (contract, balance)'
  yield `create table token_metadata (contract bytea not null, token_id numeric not null, uri text not null,
    index_status text not null, checked_at bigint not null, attempts int not null, retry_at bigint, metadata jsonb,
    primary key (contract, token_id))`
  yield 'create index on token_metadata (retry_at) where retry_at is not null'
}
