/** Tables that grow with the chain: by chain, then by height. `by` is the column of the chain that their heights are of. */
const GROWING = [
  {
    name: 'block',
    by: 'chain',
    columns: `chain text not null, height bigint not null, id bytea not null, parent_id bytea not null, time bigint not null,
      container_id bytea, container bytea not null, inner_offset int not null, inner_length int not null, accepted_at bigint,
      transactions int not null, state bytea, digest bytea not null, primary key (chain, height)`,
    indexes: ['(id)', '(container_id) where container_id is not null', '(time, height)'],
  },
  {
    name: 'transaction',
    by: 'chain',
    columns: `chain text not null, height bigint not null, position int not null, id bytea not null, name text not null,
      status text not null, decided_height bigint not null, bytes bytea not null, primary key (chain, height, position)`,
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
      id bytea not null, consumed_height bigint`,
    indexes: [
      '(address, chain, height desc, ordinal desc) where consumed_height is null',
      '(address, consumed_height desc) where consumed_height is not null',
    ],
  },
] as const

/** The tables that have a partition for each span of heights, and the column that tells whose heights those are. */
export const PARTITIONED: readonly { readonly name: string; readonly by: string }[] = GROWING

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
  for (const { name, by, columns, indexes } of GROWING) {
    yield `create table ${name} (${columns}) partition by list (${by})`
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
