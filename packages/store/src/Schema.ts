import type { ChainAlias } from '@firn/codec'
import { SERVICE_TABLES } from '@firn/service-store'
import {
  bool,
  bytea,
  byteas,
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
  withDefault,
} from '@firn/sql/table'
import { STAKING_LIST } from './internal/stakingTypes.ts'
import { VERSION_TABLES } from './VersionTables.ts'
import { VERTEX_TABLES, WAITING } from './VertexTables.ts'

export { VERTEX_TABLES, WAITING } from './VertexTables.ts'

const chain = oneOf<ChainAlias>()

/**
 * Tables with data that follows from the ledger's tables. They are not part of a digest or of a snapshot file. The writer
 * fills them for new blocks, and `Derivation.advance` for blocks from before.
 */
export const DERIVED_TABLES = {
  /** Blocks by the node that proposed them. Blocks without a proposer are left out. */
  proposal: table({
    columns: { chain, node_id: bytea, height: int8 },
    primaryKey: ['node_id', 'chain', 'height'],
  }),
  /** AVAX that the transactions of a day burned, in nAVAX; on the C-chain, only by atomic transactions. */
  burned: table({
    columns: {
      chain,
      /** Start of the day in UTC, in Unix seconds. A transaction belongs to the day of the block that decided it. */
      day: int8,
      fee: uint64,
      /** Payments to balances of L1 validators, which are not part of `fee`. */
      deposited: uint64,
    },
    primaryKey: ['chain', 'day'],
  }),
  /**
   * Owners of rewards that are not among the addresses of the transaction under whose id the reward was created, like the
   * owner of a validator's share in the reward of a delegator before Cortina. All are on the P-chain.
   */
  rewarded: table({
    columns: {
      chain,
      address: bytea,
      /** Name, height and position of the transaction, like in `transaction_address`. */
      name: text,
      height: int8,
      position: int4,
      /** Height at which the reward was paid. */
      since: int8,
    },
    primaryKey: ['address', 'height', 'position', 'chain'],
    indexes: ['(address, name, height, position)'],
  }),
  /** What is not derived yet: blocks, transactions or outputs before a position, newest first. A complete chain has no row. */
  underived: table({
    columns: {
      name: oneOf('proposal', 'burned', 'rewarded'),
      chain,
      /** The writer has derived the data of blocks from this height on. */
      until: int8,
      /** Position of the oldest block, transaction or output whose data is derived. */
      height: int8,
      position: int4,
    },
    primaryKey: ['name', 'chain'],
  }),
}

/** The tables that blocks write to, in the order in which they are written and digested. */
export const LEDGER_TABLES = {
  /** Accepted blocks. The P-chain and the X-chain start with block 0, the C-chain with block 1. */
  block: table({
    columns: {
      chain,
      height: int8,
      /** Id of the inner block; on the C-chain the hash of the EVM block. */
      id: bytea,
      parent_id: bytea,
      /**
       * Time that the block contains, in Unix seconds. P-chain blocks before Banff contain no time; for them, it is
       * the chain's time after the block.
       */
      time: int8,
      /** Id of the proposervm container; null if only the inner block is known. */
      container_id: nullable(bytea),
      /** The proposervm container; the inner block if no container is known. */
      container: uncompressed(bytea),
      /** Offset of the inner block in `container`. */
      inner_offset: int4,
      inner_length: int4,
      /** Time at which a node accepted the block, in nanoseconds since 1970, if known. */
      accepted_at: nullable(int8),
      /** Number of transactions in the block; on the C-chain only atomic transactions count. */
      transactions: int4,
      /** Fees and gas after a P-chain block, see `PlatformState`; null for other chains. */
      state: nullable(bytea),
      /** SHA-256 of the previous block's digest followed by this block's id. */
      digest: bytea,
    },
    primaryKey: ['chain', 'height'],
    indexes: ['(id)', '(container_id) where container_id is not null', '(time, height)'],
    partitionBy: ['chain', 'height'],
  }),
  /**
   * Accepted transactions; on the C-chain, only atomic transactions. Transactions of the genesis are at
   * height 0.
   */
  transaction: table({
    columns: {
      chain,
      /** Height of the block that contains the transaction; `position` is the index in that block. */
      height: int8,
      position: int4,
      id: bytea,
      /** Name of the transaction type, such as `BaseTx`. */
      name: text,
      status: oneOf('Committed', 'Aborted', 'Accepted'),
      /**
       * Height of the block that decided the transaction. For the transaction of a proposal block, it is the height
       * of the next block.
       */
      decided_height: int8,
      /** Bytes of the signed transaction. */
      bytes: uncompressed(bytea),
    },
    primaryKey: ['chain', 'height', 'position'],
    indexes: ['(id)', `(name, height, position) where name in (${STAKING_LIST})`],
    partitionBy: ['chain', 'height'],
  }),
  /**
   * The addresses that a transaction concerns: the owners of the outputs that it consumes, produces or stakes, the
   * owners of the rewards that it requests, and the L1 validators that it adds or changes. If the owners of what it
   * imports from the C-chain are not known, the addresses that signed for these inputs.
   */
  transaction_address: table({
    columns: {
      chain,
      /** Address of 20 bytes, or the 32 bytes of a validation id. On the C-chain it can be an EVM address. */
      address: bytea,
      /** Name of the transaction type. */
      name: text,
      height: int8,
      position: int4,
    },
    primaryKey: ['address', 'height', 'position', 'chain'],
    indexes: ['(address, name, height, position)'],
    partitionBy: ['chain', 'height'],
  }),
  /** UTXOs, both spent and unspent. */
  utxo: table({
    columns: {
      /** Id of the UTXO: SHA-256 of the output index and the transaction id. */
      id: bytea,
      /** Chain on which the UTXO can be spent. It differs from `source` after an export. */
      chain,
      /**
       * Chain that produced the UTXO; `height` is the block, and `ordinal` the position among the outputs of
       * that block.
       */
      source: chain,
      height: int8,
      ordinal: int4,
      /** Time of the chain `source` after the block that produced the UTXO. */
      time: int8,
      tx_id: bytea,
      output_index: int4,
      asset_id: bytea,
      /** Encoded output: type id and fields; see `RecordCodec.encodeOutput`. */
      output: bytea,
      /** Codec type id of the inner output. It is 7 for a transfer, even if the output is locked. */
      output_type: int4,
      /** Amount of the output; null for output types without an amount. */
      amount: nullable(uint64),
      locktime: uint64,
      /** Time until which a P-chain output can only be used for staking. */
      stakeable_locktime: nullable(uint64),
      threshold: int4,
      addresses: byteas,
      origin: oneOf('genesis', 'output', 'stake', 'reward', 'refund'),
      /** Id of the transaction under which a node lists the UTXO as a reward. */
      reward_tx_id: nullable(bytea),
      /**
       * Height of the block that consumed the UTXO. Like `consumed_time`, it refers to the chain in `chain`.
       */
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
      '(asset_id) where consumed_height is null and (locktime > 0 or stakeable_locktime > 0)',
    ],
    chainIndexes: { X: ['(asset_id, height)'] },
    partitionBy: ['source', 'height'],
  }),
  /** One row for each owner address of a UTXO. */
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
  ...VERTEX_TABLES,
}

/**
 * The tables of a network's schema. Ids, addresses and encoded records are stored as bytes. Heights, times
 * (Unix seconds), amounts and weights are `bigint`. Amounts and weights are in nAVAX or in the smallest unit
 * of the asset.
 *
 * Rows of `block`, `transaction`, `transaction_address`, `utxo` and `utxo_address` are never removed or
 * changed, except that the consumption of a UTXO is filled in later. Tables of versions keep one version of a
 * record for each height at which it changed. A version is valid at height `h` if `since <= h and (until is
 * null or until > h)`.
 */
export const TABLES = {
  ...SERVICE_TABLES,
  /** Description of the network; the table has one row. */
  network: table({
    columns: {
      network_id: int8,
      genesis: bytea,
      genesis_id: bytea,
      /** Upgrade times; see `NetworkRules`. 64-bit numbers are stored as decimal strings, also in `settings`. */
      upgrades: nullable(jsonb),
      /** The constants that the operators of the network may choose; see `NetworkRules`. */
      settings: jsonb,
      /**
       * Whether the C-chain is followed. If not, the database has none of its blocks and exports, and does not know the
       * owners of what the P- and X-chain import from it, nor whether an export to it was imported there.
       */
      follows_c_chain: withDefault(bool, 'true'),
      follows_x_chain: withDefault(bool, 'true'),
    },
    primaryKey: ['network_id'],
  }),
  /** Fence of the current writer; the table has one row. */
  writer: table({ columns: { fence: int8 } }),
  /** Position of the last block of each chain. */
  cursor: table({
    columns: {
      chain,
      height: int8,
      block_id: bytea,
      time: int8,
      /**
       * As `height`, but set only by writers that fill `proposal` and `burned`. If it differs, a writer of an earlier version
       * has added blocks, and the chain's data is derived again.
       */
      derived: nullable(int8),
      /** As `derived`, for writers that also fill `rewarded`. */
      rewarded: nullable(int8),
    },
    primaryKey: ['chain'],
  }),
  /**
   * Blocks that were fetched from peers and wait to be applied, as the network has them. They may be above the accepted
   * tip or on another fork until the sync that fetched them is complete. Applied blocks are deleted.
   */
  fetched_block: table({
    columns: {
      chain,
      height: int8,
      /** Id of the container, or of the bare block from before proposervm. */
      id: bytea,
      parent_id: bytea,
      bytes: uncompressed(bytea),
    },
    primaryKey: ['chain', 'height'],
    indexes: ['(id)'],
  }),
  /** Vertices of the X-chain that were fetched from peers or nodes. They are deleted when the X-chain's blocks follow. */
  fetched_vertex: table({
    columns: {
      id: bytea,
      height: int8,
      parent_ids: byteas,
      bytes: uncompressed(bytea),
      accepted_at: nullable(int8),
    },
    primaryKey: ['id'],
    indexes: ['(height, id)'],
  }),
  ...LEDGER_TABLES,
  ...DERIVED_TABLES,
  /**
   * Transactions of stored vertices that wait for outputs that they spend. The table is empty once all vertices are
   * applied.
   */
  waiting_transaction: WAITING,
}

/** Names of the tables that are partitioned by height. */
export const PARTITIONED = partitioned(LEDGER_TABLES)

/** Names of the tables that blocks write to, in the order in which they are written and digested. */
export const LEDGER_TABLE_NAMES = Object.keys(LEDGER_TABLES) as LedgerTable[]

export type Database = RowsOf<typeof TABLES>
export type LedgerTable = keyof typeof LEDGER_TABLES
export type VersionTable = keyof typeof VERSION_TABLES
export type BlockRow = Database['block']
export type UtxoRow = Database['utxo']
export type UtxoAddressRow = Database['utxo_address']
export type VersionRow = RowOf<typeof VERSION_TABLES.supply>
