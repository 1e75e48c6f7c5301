/** A table that grows with the chain. */
interface Growing {
  readonly name: string
  /** The column of the chain that its heights are of. */
  readonly by: string
  readonly columns: string
  readonly indexes: readonly string[]
  /** Columns that are full of hashes and signatures: trying to compress them would cost much and bring nothing. */
  readonly incompressible?: readonly string[]
}

/** Those tables, divided by chain, then by height. */
const GROWING: readonly Growing[] = [
  {
    name: 'block',
    by: 'chain',
    columns: `chain text not null, height bigint not null, id bytea not null, parent_id bytea not null, time bigint not null,
      container_id bytea, container bytea not null, inner_offset int not null, inner_length int not null, accepted_at bigint,
      transactions int not null, state bytea, digest bytea not null, primary key (chain, height)`,
    incompressible: ['container'],
    indexes: ['(id)', '(container_id) where container_id is not null', '(time, height)'],
  },
  {
    name: 'transaction',
    by: 'chain',
    columns: `chain text not null, height bigint not null, position int not null, id bytea not null, name text not null,
      status text not null, decided_height bigint not null, bytes bytea not null, primary key (chain, height, position)`,
    incompressible: ['bytes'],
    indexes: ['(id)'],
  },
  {
    name: 'transaction_address',
    by: 'chain',
    columns: `chain text not null, address bytea not null, name text not null, height bigint not null, position int not null,
      primary key (address, height, position, chain)`,
    indexes: ['(address, name, height, position)'],
  },
  {
    name: 'utxo',
    by: 'source',
    columns: `id bytea not null, chain text not null, source text not null, height bigint not null, ordinal int not null,
      time bigint not null, tx_id bytea not null, output_index int not null, asset_id bytea not null, output bytea not null,
      output_type int not null, amount numeric(20), locktime numeric(20) not null, stakeable_locktime numeric(20),
      threshold int not null, addresses bytea[] not null, origin text not null, reward_tx_id bytea, consumed_height bigint,
      consumed_tx_id bytea, consumed_time bigint, primary key (source, height, ordinal)`,
    indexes: [
      '(id)',
      '(tx_id)',
      '(consumed_tx_id) where consumed_tx_id is not null',
      '(reward_tx_id) where reward_tx_id is not null',
    ],
  },
  {
    name: 'utxo_address',
    by: 'source',
    columns: `address bytea not null, chain text not null, source text not null, height bigint not null, ordinal int not null,
      id bytea not null, consumed_height bigint, primary key (source, height, ordinal, address)`,
    indexes: [
      '(address, chain, height desc, ordinal desc) where consumed_height is null',
      '(address, consumed_height desc) where consumed_height is not null',
    ],
  },
]

/** The names of the tables that have a partition for each span of heights. */
export const PARTITIONED: readonly string[] = GROWING.map(({ name }) => name)

/**
 * How a partition is kept: rows of up to a page's size stay in the page, which spares their readers a second look-up. The usual
 * limit of 2 kB is about the size of a container.
 */
export const STORAGE = 'toast_tuple_target = 8160'

const CHAINS = ['P', 'X', 'C']

const version = `key bytea not null, since bigint not null, until bigint, ordinal int not null, body bytea not null`
const VERSIONED: Readonly<Record<string, { columns: string; indexes: readonly string[] }>> = {
  staker: {
    columns: `subnet_id bytea not null, node_id bytea not null, role text not null, kind text not null, status text not null,
      priority int not null, start_time bigint not null, end_time bigint not null, weight numeric(20) not null,
      stake_addresses bytea[] not null, reward_addresses bytea[] not null`,
    indexes: ['(subnet_id, node_id)', 'using gin (stake_addresses)', 'using gin (reward_addresses)'],
  },
  subnet: {
    columns: 'created_height bigint not null, created_ordinal int not null',
    indexes: ['(created_height desc, created_ordinal desc)'],
  },
  blockchain: {
    columns: 'subnet_id bytea not null, created_height bigint not null, created_ordinal int not null',
    indexes: ['(subnet_id)', '(created_height desc, created_ordinal desc)'],
  },
  supply: { columns: '', indexes: [] },
  l1_validator: {
    columns: `subnet_id bytea not null, node_id bytea not null, weight numeric(20) not null, active boolean not null,
      end_accumulated_fee numeric(20) not null`,
    indexes: ['(subnet_id, node_id)', '(node_id)'],
  },
  expiry: { columns: '', indexes: [] },
  member: {
    columns:
      'subnet_id bytea not null, node_id bytea not null, weight numeric(20) not null, public_key bytea',
    indexes: ['(subnet_id, until)'],
  },
  asset: { columns: 'name text not null, symbol text not null, denomination int not null', indexes: [] },
}

/** The first version of the schema. */
export function* statements(): Iterable<string> {
  yield `create table network (network_id bigint primary key, genesis bytea not null, genesis_id bytea not null,
    upgrades jsonb, settings jsonb not null)`
  yield 'create table writer (fence bigint not null)'
  yield 'insert into writer values (0)'
  yield 'create table cursor (chain text primary key, height bigint not null, block_id bytea not null, time bigint not null)'
  for (const { name, by, columns, indexes, incompressible } of GROWING) {
    yield `create table ${name} (${columns}) partition by list (${by})`
    for (const column of incompressible ?? []) {
      yield `alter table ${name} alter column ${column} set storage external`
    }
    for (const chain of CHAINS) {
      yield `create table ${name}_${chain.toLowerCase()} partition of ${name} for values in ('${chain}') partition by range (height)`
    }
    for (const index of indexes) yield `create index on ${name} ${index}`
  }
  for (const [name, { columns, indexes }] of Object.entries(VERSIONED)) {
    const all = columns === '' ? version : `${version}, ${columns}`
    yield `create table ${name} (${all}, primary key (key, since))`
    // One version holds now; history is asked for by the height at which a version ended.
    yield `create unique index on ${name} (key) where until is null`
    yield `create index on ${name} (until)`
    for (const index of indexes) yield `create index on ${name} ${index}`
  }
}

/** Who may write to a schema, and until when; see `Lease`. */
export function* leaseStatements(): Iterable<string> {
  yield 'create table lease (holder text, expires_at timestamptz)'
  yield 'insert into lease values (null, null)'
}

/** What services keep beside the ledger: keys of callers, and secrets that all replicas share. */
export function* serviceStatements(): Iterable<string> {
  yield `create table api_key (hash bytea primary key, hint text not null, name text not null, scopes text[] not null,
    units_per_minute int, units_per_day int, created_at bigint not null, revoked_at bigint)`
  yield 'create table secret (name text primary key, value bytea not null)'
}

/** What lists of the Data API are found by, beside what the ledger itself needs. */
export function* listStatements(): Iterable<string> {
  yield 'create index on utxo using gin (addresses) where reward_tx_id is not null'
}
