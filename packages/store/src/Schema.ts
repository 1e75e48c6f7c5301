import { STAKING_LIST } from './internal/stakingTypes.ts'
import {
  bool,
  bytea,
  byteas,
  type CopyColumn,
  int4,
  int8,
  jsonb,
  nullable,
  oneOf,
  partitioned,
  type RowOf,
  type RowsOf,
  table,
  text,
  uint64,
  uncompressed,
} from './internal/Table.ts'
import { SERVICE_TABLES } from './ServiceTables.ts'

/** A chain of the Primary Network. */
export type Chain = 'P' | 'X' | 'C'

const chain = oneOf<Chain>()

/** The columns of every version of a record. */
const version = {
  key: bytea,
  since: int8,
  until: nullable(int8),
  /** Its position among the versions of its table that start at `since`. */
  ordinal: int4,
  /** The whole record, see `RecordCodec`. */
  body: bytea,
}

/** Defines a table that keeps one version of a record for each height at which it changed. */
function versioned<Columns extends Readonly<Record<string, CopyColumn>>>(
  columns: Columns,
  indexes: readonly string[] = [],
) {
  return table<typeof version & Columns>({
    columns: { ...version, ...columns },
    primaryKey: ['key', 'since'],
    // One version is current; queries of the past search by the height at which a version ended.
    uniqueIndexes: ['(key) where until is null'],
    indexes: ['(until)', ...indexes],
  })
}

const validator = { subnet_id: bytea, node_id: bytea, weight: uint64 }
const created = { created_height: int8, created_ordinal: int4 }

/** The tables of versions. */
const VERSION_TABLES = {
  /** Key: the transaction that added it. */
  staker: versioned(
    {
      ...validator,
      role: oneOf('validator', 'delegator'),
      kind: oneOf('primary', 'permissioned', 'permissionless'),
      status: oneOf('pending', 'current'),
      priority: int4,
      start_time: int8,
      end_time: int8,
      /** Owners of the staked outputs. */
      stake_addresses: byteas,
      /** The addresses that receive rewards, including a validator's share of its delegators' rewards. */
      reward_addresses: byteas,
    },
    [
      '(subnet_id, node_id)',
      'using gin (stake_addresses)',
      'using gin (reward_addresses)',
      '(start_time) where until is null',
      '(role, start_time, key) where until is null',
      '(role, start_time, key) where until is not null',
      `(start_time, key) where until is not null and kind = 'permissioned'`,
      '(node_id, role, until)',
    ],
  ),
  /** Key: the subnet's id. */
  subnet: versioned(created, ['(created_height desc, created_ordinal desc)']),
  /** Key: the chain's id. */
  blockchain: versioned({ subnet_id: bytea, ...created }, [
    '(subnet_id)',
    '(created_height desc, created_ordinal desc)',
  ]),
  supply: versioned({}),
  /** Key: the validation id. */
  l1_validator: versioned({ ...validator, active: bool, end_accumulated_fee: uint64 }, [
    '(subnet_id, node_id)',
    '(node_id)',
    '(key, since desc)',
  ]),
  expiry: versioned({}),
  /** Key: subnet id and node id. One query returns the validator set at any height. */
  member: versioned(
    {
      ...validator,
      /** 48 bytes. */
      public_key: nullable(bytea),
    },
    ['(subnet_id, until)'],
  ),
  /** Key: the asset's id; `since` is a height of the X-chain. */
  asset: versioned({ name: text, symbol: text, denomination: int4 }),
}

/** The tables that blocks fill, in the order in which they are written and digested. */
export const LEDGER_TABLES = {
  /** Accepted blocks. The P- and X-chain start with their block 0. */
  block: table({
    columns: {
      chain,
      height: int8,
      /** The inner block's id; on the C-chain the EVM block's hash. */
      id: bytea,
      parent_id: bytea,
      /** The block's own time; before Banff the P-chain's time after it. */
      time: int8,
      /** Null where only the inner block is known. */
      container_id: nullable(bytea),
      /** The proposervm container, or the inner block where only that is known. */
      container: uncompressed(bytea),
      /** The range of the inner block in `container`. */
      inner_offset: int4,
      inner_length: int4,
      /** When a node accepted it, in nanoseconds since 1970, where known. */
      accepted_at: nullable(int8),
      /** The number of its transactions; on the C-chain of its atomic transactions. */
      transactions: int4,
      /** P-chain: fees and gas after the block, see `PlatformState`. */
      state: nullable(bytea),
      /** SHA-256 of the digest of the block before and this block's id. */
      digest: bytea,
    },
    primaryKey: ['chain', 'height'],
    indexes: ['(id)', '(container_id) where container_id is not null', '(time, height)'],
    partitionBy: ['chain', 'height'],
  }),
  /** Accepted transactions; on the C-chain atomic ones. Those of the genesis are at height 0. */
  transaction: table({
    columns: {
      chain,
      /** The block that contains it, and its position there. */
      height: int8,
      position: int4,
      id: bytea,
      /** The name of its type, such as `BaseTx`. */
      name: text,
      status: oneOf('Committed', 'Aborted', 'Accepted'),
      /** The block that decided it: for a proposal the next one. */
      decided_height: int8,
      /** The signed bytes. */
      bytes: uncompressed(bytea),
    },
    primaryKey: ['chain', 'height', 'position'],
    indexes: ['(id)', `(name, height, position) where name in (${STAKING_LIST})`],
    partitionBy: ['chain', 'height'],
  }),
  /**
   * The addresses that a transaction concerns: owners of what it consumed, produced or staked, and of the rewards that it requests,
   * and the L1 validators that it names.
   */
  transaction_address: table({
    columns: {
      chain,
      /** 20 bytes, on the C-chain EVM addresses too; the 32 bytes of a validation id. */
      address: bytea,
      /** The name of the transaction's type. */
      name: text,
      height: int8,
      position: int4,
    },
    primaryKey: ['address', 'height', 'position', 'chain'],
    indexes: ['(address, name, height, position)'],
    partitionBy: ['chain', 'height'],
  }),
  /** Outputs, spent or not. */
  utxo: table({
    columns: {
      /** The input id. */
      id: bytea,
      /** The chain on which it can be spent: after an export another one than `source`. */
      chain,
      /** The chain and the block that produced it, and its position among the outputs of that block. */
      source: chain,
      height: int8,
      ordinal: int4,
      /** The chain's time after that block. */
      time: int8,
      tx_id: bytea,
      output_index: int4,
      asset_id: bytea,
      /** Type id and fields, see `RecordCodec.output`. */
      output: bytea,
      /** The codec's type id of the inner output: 7 for a transfer, even behind a lock. */
      output_type: int4,
      /** Null for outputs without an amount. */
      amount: nullable(uint64),
      locktime: uint64,
      /** The time until which a P-chain output can only be staked. */
      stakeable_locktime: nullable(uint64),
      threshold: int4,
      addresses: byteas,
      origin: oneOf('genesis', 'output', 'stake', 'reward', 'refund'),
      /** The transaction under which a node lists the reward. */
      reward_tx_id: nullable(bytea),
      /** The block of `chain` that consumed it, and that chain's time after it. */
      consumed_height: nullable(int8),
      consumed_tx_id: nullable(bytea),
      consumed_time: nullable(int8),
    },
    primaryKey: ['source', 'height', 'ordinal'],
    indexes: [
      '(id)',
      '(tx_id)',
      '(consumed_tx_id) where consumed_tx_id is not null',
      '(reward_tx_id) where reward_tx_id is not null',
      'using gin (addresses) where reward_tx_id is not null',
      `(asset_id, consumed_height) where chain = 'X' and consumed_height is not null`,
    ],
    chainIndexes: { X: ['(asset_id, height)'] },
    partitionBy: ['source', 'height'],
  }),
  /** One row for each address of a UTXO. */
  utxo_address: table({
    columns: {
      address: bytea,
      chain,
      source: chain,
      height: int8,
      ordinal: int4,
      id: bytea,
      consumed_height: nullable(int8),
    },
    primaryKey: ['source', 'height', 'ordinal', 'address'],
    indexes: [
      '(address, chain, height desc, ordinal desc) where consumed_height is null',
      '(address, consumed_height desc) where consumed_height is not null',
    ],
    partitionBy: ['source', 'height'],
  }),
  ...VERSION_TABLES,
}

/**
 * The tables of a network's schema. Ids, addresses and bodies are bytes, heights and times (Unix seconds) are `bigint`, and so are
 * amounts and weights (nAVAX, or the smallest unit of their asset).
 *
 * Rows of `block`, `transaction`, `transaction_address`, `utxo` and `utxo_address` are never removed or changed, except that a
 * UTXO's consumption is filled in later. Tables of versions keep one version of a record for each height at which it changed: at
 * height `h` those with `since <= h and (until is null or until > h)` hold.
 */
export const TABLES = {
  ...SERVICE_TABLES,
  /** The network; one row. */
  network: table({
    columns: {
      network_id: int8,
      genesis: bytea,
      genesis_id: bytea,
      /** Upgrade times and other rules, see `NetworkRules`; 64-bit numbers are text. */
      upgrades: nullable(jsonb),
      settings: jsonb,
    },
    primaryKey: ['network_id'],
  }),
  /** The fence of the current writer; one row. */
  writer: table({ columns: { fence: int8 } }),
  /** The last block of each chain. */
  cursor: table({
    columns: { chain, height: int8, block_id: bytea, time: int8 },
    primaryKey: ['chain'],
  }),
  ...LEDGER_TABLES,
}

/** The tables that are partitioned by height. */
export const PARTITIONED = partitioned(LEDGER_TABLES)

/** The names of the tables that blocks fill, in the order in which they are written and digested. */
export const LEDGER_TABLE_NAMES = Object.keys(LEDGER_TABLES) as LedgerTable[]

export type Database = RowsOf<typeof TABLES>
export type LedgerTable = keyof typeof LEDGER_TABLES
export type VersionTable = keyof typeof VERSION_TABLES
export type BlockRow = Database['block']
export type UtxoRow = Database['utxo']
export type UtxoAddressRow = Database['utxo_address']
export type VersionRow = RowOf<typeof VERSION_TABLES.supply>
