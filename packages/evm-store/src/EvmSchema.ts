import { SERVICE_TABLES } from '@firn/service-store'
import {
  bool,
  bytea,
  float8,
  int4,
  int8,
  nullable,
  numeric,
  oneOf,
  partitioned,
  type RowsOf,
  text,
  withDefault,
} from '@firn/sql/table'
import { OWN_TABLES } from './BlockTables.ts'
import { CHANGE_TABLES, GAP_TABLES } from './ChangeTables.ts'
import { ICM_TABLES } from './IcmTables.ts'
import { table } from './internal/evmTable.ts'
import { CHECK_TABLES, TOKEN_TABLES } from './TokenTables.ts'

export { BLOCK_TABLES, type BlockTable, DIGESTED_TABLES } from './BlockTables.ts'
export type { ChangeKind } from './ChangeTables.ts'
export { type BalanceBasis, TOKEN_CLASSES, type TokenClass } from './TokenTables.ts'

/**
 * The periods of rollups. The period `all` has one row, which starts at 0. Weeks start on Monday. All periods
 * are in UTC.
 */
export const PERIODS = ['hour', 'day', 'week', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]

/**
 * Number of hours within which the counts of last activity per hour tell distinct addresses: a day, the longest window
 * in hours. The counts of older hours are never changed, so that a returning address changes few rows.
 */
export const LAST_HOURS = 24n

const period = oneOf(...PERIODS)

/**
 * The tables of an EVM chain's schema. Hashes and addresses are stored as bytes. Heights, times (Unix
 * seconds) and amounts are `bigint`. Amounts are in wei or in the smallest unit of the token.
 *
 * Rows of blocks, contracts, tokens, owners and balances contain the height of the block that added them, so an undo
 * deletes the rows of its heights. The rollups of metrics are sums, so an undo corrects them instead.
 */
export const EVM_TABLES = {
  ...SERVICE_TABLES,
  /** Description of the chain; the table has one row. */
  chain: table({
    columns: {
      /** EVM chain id. */
      chain_id: numeric,
      name: text,
      /**
       * Kind of network in whose totals the chain's metrics are included: `mainnet`, `testnet` or `local`.
       */
      network: text,
      /** Blockchain id; null for a chain outside Avalanche. */
      blockchain_id: nullable(bytea),
      subnet_id: nullable(bytea),
      token_name: text,
      token_symbol: text,
      token_decimals: int4,
      /** Height of the first stored block. Earlier blocks are unknown. */
      first_height: int8,
      /**
       * Whether blocks are stored with traces. Without traces, `internal_call` is empty and only top-level
       * creations are known.
       */
      has_traces: bool,
      /** Hash of block 0 as reported by nodes; null if it is not known yet. */
      genesis_hash: nullable(bytea),
      /** Height from which on the logs of all blocks are stored; null if logs are not stored. */
      logs_from: nullable(int8),
      /**
       * Whether only headers and the logs in `log_selection` are stored. The tables of transactions, transfers,
       * contracts, balances and metrics are then empty, and the sums in `block` over transactions are 0.
       */
      events_only: withDefault(bool, 'false'),
    },
    primaryKey: ['chain_id'],
  }),
  /** The logs that are stored of a chain of which only events are stored. */
  log_selection: table({
    columns: {
      topic0: bytea,
      /** Contract that emits the logs; empty for all contracts. */
      address: bytea,
      /** Height from which on the logs are stored. */
      from_height: int8,
    },
    primaryKey: ['topic0', 'address'],
  }),
  /** Fence of the current writer; the table has one row. */
  writer: table({
    columns: {
      fence: int8,
      /**
       * Upper bound of all change sequence numbers ever used, including numbers of lost changes. The value is
       * committed synchronously before any of the newly reserved numbers is used.
       */
      reserved: withDefault(int8, '0'),
    },
  }),
  /** How the chain is sharded over the workers of a Citus cluster; the table is empty if it is not. */
  sharding: table({
    columns: {
      /** Number of shards of each sharded table. */
      shards: int4,
      /** Whether all tables are where `PLACEMENTS` says. Until then, no writer can be opened. */
      is_complete: bool,
    },
  }),
  /** If the chain is sharded, one height in each shard by height, so that statements on the table run on all of them. */
  height_shard: table({ columns: { height: int8 }, primaryKey: ['height'] }),
  /** If the chain is sharded, one address in each shard by address or contract. */
  address_shard: table({ columns: { address: bytea }, primaryKey: ['address'] }),
  /** Position of the newest block; the table is empty while no block is stored. */
  cursor: table({
    columns: {
      height: int8,
      hash: bytea,
      time: int8,
      /** Sequence number of the newest change, or a higher number that no change uses. */
      sequence: int8,
      /** Reason why the chain is not served, see `EvmWriter.halt`; null if the chain is served. */
      halted: nullable(text),
      /** The `settled_height` of the newest block. */
      settled_height: nullable(int8),
    },
  }),
  ...OWN_TABLES,
  ...GAP_TABLES,
  ...TOKEN_TABLES,
  ...CHECK_TABLES,
  ...ICM_TABLES,
  /** Metric totals over the blocks of each period. */
  rollup: table({
    columns: {
      period,
      /** Start of the period in Unix seconds. */
      start: int8,
      blocks: int4,
      transactions: int8,
      gas: numeric,
      fees: numeric,
      gas_price_sum: numeric,
      gas_price_max: nullable(numeric),
      /** Number of created contracts. */
      creations: int8,
      addresses: int8,
      senders: int8,
      deployers: int8,
      /**
       * Number of addresses that were active for the first time ever. The sum up to a period is the cumulative number
       * of addresses.
       */
      new_addresses: int8,
      new_deployers: int8,
      /** Time of the last block in the period, in Unix milliseconds. */
      last_milliseconds: int8,
      /** Maximum of the blocks' gas per second; see `Rates.of` in `@firn/evm`. */
      max_gas_per_second: float8,
      max_transactions_per_second: float8,
    },
    primaryKey: ['period', 'start'],
  }),
  /** For each address, the start of the last hour with each kind of activity. */
  last_activity: table({
    columns: {
      address: bytea,
      last: nullable(int8),
      sender_last: nullable(int8),
      deployer_last: nullable(int8),
    },
    primaryKey: ['address'],
    parameters: 'fillfactor = 70',
  }),
  /**
   * For each address in removed transactions or transfers, and for each creator of a contract in blocks whose headers were
   * removed, the start of the last hour with such activity. Transfers may be removed before their transactions.
   */
  pruned_activity: table({
    columns: {
      address: bytea,
      last: nullable(int8),
      sender_last: nullable(int8),
      deployer_last: nullable(int8),
    },
    primaryKey: ['address'],
  }),
  /**
   * For each hour and day, the number of addresses that were active in it for the last time. The sum from a day on is
   * the number of distinct addresses active since then. An hour also counts addresses that were active again
   * `LAST_HOURS` later or more. Periods without such addresses have no row.
   */
  last_activity_count: table({
    columns: { period, start: int8, addresses: int8, senders: int8, deployers: int8 },
    primaryKey: ['period', 'start'],
    parameters: 'fillfactor = 50',
  }),
  /** The tables of decoded events, see `EventTables`. Each has its own columns. */
  event_table: table({
    columns: {
      /** Name of the table. */
      name: text,
      /** The ABI's name, the event and the contracts, as JSON. */
      definition: text,
      /** Height from which on events are decoded. */
      from_height: int8,
      /** Height of the next block whose events are decoded. */
      next_height: int8,
    },
    primaryKey: ['name'],
  }),
  /** The indexes that are missing, because the chain is filled without them; see `EvmWriterOptions.defersIndexes`. */
  deferred_index: table({
    columns: {
      /** Place in the order in which the indexes are built. */
      position: int4,
      /** Name of the table. */
      indexed: text,
      /** The SQL after `create index on <table>`. */
      definition: text,
    },
    primaryKey: ['position'],
  }),
  /** For each kind of data whose oldest part was removed, from where on its rows are kept. */
  pruned: table({
    columns: {
      /** Name of the kind, see `DATA_KINDS`. */
      kind: text,
      /** Rows of lower heights were removed, or are being removed. For `metrics`, a time in Unix seconds. */
      below: int8,
    },
    primaryKey: ['kind'],
  }),
  ...CHANGE_TABLES,
}

/** Names of the tables that are partitioned by height. */
export const EVM_PARTITIONED = partitioned(EVM_TABLES)

export type EvmDatabase = RowsOf<typeof EVM_TABLES>
export type ChainRow = EvmDatabase['chain']
export type BlockRow = EvmDatabase['block']
export type TransactionRow = EvmDatabase['transaction']
export type TransferRow = EvmDatabase['transfer']
export type InternalCallRow = EvmDatabase['internal_call']
export type CreationRow = EvmDatabase['creation']
export type TraceGapRow = EvmDatabase['trace_gap']
export type LogRow = EvmDatabase['log']
export type LogTransactionRow = EvmDatabase['log_transaction']
export type ContractRow = EvmDatabase['contract']
export type TokenRow = EvmDatabase['token']
export type TokenOwnerRow = EvmDatabase['token_owner']
export type TokenBalanceRow = EvmDatabase['token_balance']
export type WrappingRow = EvmDatabase['wrapping']
export type TokenCheckRow = EvmDatabase['token_check']
export type UncheckedBalanceRow = EvmDatabase['unchecked_balance']
export type BalanceReadingRow = EvmDatabase['balance_reading']
export type TokenHolderRow = EvmDatabase['token_holder']
export type ItemHolderRow = EvmDatabase['item_holder']
export type RollupRow = EvmDatabase['rollup']
export type LastActivityRow = EvmDatabase['last_activity']
export type IcmMessageRow = EvmDatabase['icm_message']
export type IcmEventRow = EvmDatabase['icm_event']
export type IcmCountRow = EvmDatabase['icm_count']
export type ChangeRow = EvmDatabase['change']
