import {
  bool,
  bytea,
  float8,
  int4,
  int8,
  jsonb,
  nullable,
  numeric,
  oneOf,
  partitioned,
  type RowsOf,
  table,
  text,
  withDefault,
} from '../internal/Table.ts'
import { SERVICE_TABLES } from '../ServiceTables.ts'

/** The periods of rollups; `all` has one row, which starts at 0. Weeks start on Monday, all by UTC. */
export const PERIODS = ['hour', 'day', 'week', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** The tables of a block's own rows, in the order in which they are digested. All other tables are derived from them. */
const OWN_TABLES = {
  block: table({
    columns: {
      height: int8,
      hash: bytea,
      parent_hash: bytea,
      time: int8,
      time_milliseconds: nullable(int8),
      min_delay_excess: nullable(int8),
      base_fee: nullable(numeric),
      gas_limit: numeric,
      /** From the header. */
      gas_used: numeric,
      block_gas_cost: nullable(numeric),
      transactions: int4,
      /** Transactions from the chain's first stored block through this one. */
      cumulative_transactions: int8,
      /** The sum of the receipts' gas, which metrics use. */
      gas_executed: numeric,
      /** The sum of gas × price over the receipts. */
      fees_spent: numeric,
      /** The sum and the maximum of the receipts' gas prices; the maximum is null in a block without transactions. */
      gas_price_sum: numeric,
      gas_price_max: nullable(numeric),
      /** The number of contract creations, including failed ones. */
      creations: int4,
      /** SHA-256 over all stored data of the block. */
      digest: bytea,
      /** SHA-256 over the chain digest of the block before (32 zero bytes before the first) and `digest`. */
      chain_digest: bytea,
    },
    primaryKey: ['height'],
    indexes: ['(hash)', '(time, height)'],
    partitionBy: ['height'],
  }),
  transaction: table({
    columns: {
      height: int8,
      transaction_index: int4,
      hash: bytea,
      type: int4,
      sender: bytea,
      recipient: nullable(bytea),
      created: nullable(bytea),
      nonce: numeric,
      value: numeric,
      /** The first four bytes of the input, or all of a shorter one; lists read this instead of the input. */
      selector: bytea,
      /** The whole input; only read for a single transaction. */
      input: bytea,
      /** Null where the transaction type has none. */
      max_fee_per_gas: nullable(numeric),
      max_priority_fee_per_gas: nullable(numeric),
      gas_limit: numeric,
      gas_used: numeric,
      gas_price: numeric,
      succeeded: bool,
    },
    primaryKey: ['height', 'transaction_index'],
    indexes: [
      '(hash)',
      '(sender, height, transaction_index)',
      '(recipient, height, transaction_index)',
      '(height, transaction_index) where not succeeded',
    ],
    partitionBy: ['height'],
  }),
  transfer: table({
    columns: {
      height: int8,
      log_index: int8,
      /** The position in an ERC-1155 batch. */
      position: int4,
      transaction_index: int4,
      /** 20, 721 or 1155. */
      standard: int4,
      contract: bytea,
      sender: bytea,
      recipient: bytea,
      token_id: nullable(numeric),
      amount: numeric,
    },
    primaryKey: ['height', 'log_index', 'position'],
    indexes: [
      '(sender, standard, height, log_index, position)',
      '(recipient, standard, height, log_index, position)',
      '(contract, height, log_index, position)',
    ],
    partitionBy: ['height'],
  }),
  /** Calls inside transactions. */
  internal_call: table({
    columns: {
      height: int8,
      transaction_index: int4,
      position: int4,
      type: text,
      sender: bytea,
      recipient: nullable(bytea),
      value: numeric,
      gas: numeric,
      gas_used: numeric,
      succeeded: bool,
    },
    primaryKey: ['height', 'transaction_index', 'position'],
    indexes: [
      '(sender, height, transaction_index, position)',
      '(recipient, height, transaction_index, position)',
    ],
    partitionBy: ['height'],
  }),
  creation: table({
    columns: {
      height: int8,
      transaction_index: int4,
      position: int4,
      /** `CREATE` or `CREATE2`. */
      opcode: text,
      contract: nullable(bytea),
      deployer: bytea,
      creator: bytea,
      succeeded: bool,
    },
    primaryKey: ['height', 'transaction_index', 'position'],
    indexes: ['(deployer, height, transaction_index, position) where succeeded', '(contract)'],
    partitionBy: ['height'],
  }),
}

const token = { contract: bytea, token_id: numeric, standard: int4, since: int8 }

/** The tables of contracts, tokens and their holders. */
const TOKEN_TABLES = {
  /** Contracts that were created or that emitted transfers. */
  contract: table({
    columns: {
      address: bytea,
      /** The height at which it was first seen. */
      since: int8,
      /** 20, 721, 1155, or 0 for any other. */
      standard: int4,
      /** The bytes of the texts, as the contract returns them. */
      name: nullable(bytea),
      symbol: nullable(bytea),
      decimals: nullable(int4),
    },
    primaryKey: ['address'],
  }),
  /** Tokens of ERC-721 and ERC-1155 contracts that were transferred at least once. */
  token: table({ columns: token, primaryKey: ['contract', 'token_id'] }),
  /** The tokens whose metadata has not been fetched yet. */
  token_unseen: table({
    columns: token,
    primaryKey: ['contract', 'token_id'],
    indexes: ['(since, contract, token_id)'],
  }),
  /** The owner of an ERC-721 token from a height on; the zero address owns burnt tokens. */
  token_owner: table({
    columns: {
      contract: bytea,
      token_id: numeric,
      since: int8,
      /** The first height at which another address owned it; null for the current owner. */
      until: nullable(int8),
      owner: bytea,
    },
    primaryKey: ['contract', 'token_id', 'since'],
    indexes: ['(owner, contract, token_id) where until is null', '(owner, until) where until is not null'],
  }),
  /**
   * The balance of an address in a token from a height on. The zero address has no rows. It is the sum of
   * transfers: it may be negative for a token that moves without emitting transfers, or emits wrong ones.
   */
  token_balance: table({
    columns: {
      contract: bytea,
      /** 20, 1155 or 721; a row of 721 counts an address's tokens of a contract. */
      standard: int4,
      /** 0 where the standard isn't 1155. */
      token_id: numeric,
      address: bytea,
      since: int8,
      balance: numeric,
    },
    primaryKey: ['address', 'standard', 'contract', 'token_id', 'since'],
    indexes: ['(contract, balance)'],
  }),
  /** The result of fetching a token's URI, see `TokenQueue`. */
  token_metadata: table({
    columns: {
      contract: bytea,
      token_id: numeric,
      uri: text,
      index_status: text,
      /** Unix seconds. */
      checked_at: int8,
      attempts: int4,
      /** Unix seconds; null when it is not fetched again. */
      retry_at: nullable(int8),
      /** The known members of `Metadata`. */
      metadata: nullable(jsonb),
    },
    primaryKey: ['contract', 'token_id'],
    indexes: ['(retry_at) where retry_at is not null'],
  }),
}

const period = oneOf(...PERIODS)

/**
 * The tables of an EVM chain's schema. Hashes and addresses are bytes, heights and times (Unix seconds) are `bigint`, and so are
 * amounts (wei, or the smallest unit of their token).
 *
 * Rows are only added, each with the height of the block that caused it, so that undoing a block deletes the rows of its height;
 * the rollups of metrics, which are sums, are corrected.
 */
export const EVM_TABLES = {
  ...SERVICE_TABLES,
  /** The chain; one row. */
  chain: table({
    columns: {
      /** The EVM chain id. */
      chain_id: numeric,
      name: text,
      /** `mainnet`, `testnet` or `local`: the network to whose sums its metrics are added. */
      network: text,
      /** Null for a chain outside Avalanche. */
      blockchain_id: nullable(bytea),
      subnet_id: nullable(bytea),
      token_name: text,
      token_symbol: text,
      token_decimals: int4,
      /** The first block that is stored: earlier ones are unknown. */
      first_height: int8,
      /** Whether blocks come with traces; a chain without has no rows of `internal_call` and only top-level creations. */
      has_traces: bool,
      /** The hash of block 0 as nodes report it; null while it is unknown. */
      genesis_hash: nullable(bytea),
    },
    primaryKey: ['chain_id'],
  }),
  /** The fence of the current writer; one row. */
  writer: table({
    columns: {
      fence: int8,
      /**
       * No change has a higher sequence number, not even one that was lost. It is committed synchronously
       * before the first of these numbers is used.
       */
      reserved: withDefault(int8, '0'),
    },
  }),
  /** The newest block; no row while there is none. */
  cursor: table({
    columns: {
      height: int8,
      hash: bytea,
      time: int8,
      /** The newest `change.sequence`, or a later number that no change has. */
      sequence: int8,
      /** The reason why the chain is not served, see `EvmWriter.halt`; null while it is served. */
      halted: nullable(text),
    },
  }),
  ...OWN_TABLES,
  ...TOKEN_TABLES,
  /** Sums over the blocks of a period. */
  rollup: table({
    columns: {
      period,
      /** Unix seconds. */
      start: int8,
      blocks: int4,
      transactions: int8,
      gas: numeric,
      fees: numeric,
      gas_price_sum: numeric,
      gas_price_max: nullable(numeric),
      creations: int8,
      addresses: int8,
      senders: int8,
      deployers: int8,
      /**
       * Addresses and deployers active for the first time ever: their sums over periods are cumulative
       * metrics.
       */
      new_addresses: int8,
      new_deployers: int8,
      /** The time of its last block, Unix milliseconds. */
      last_milliseconds: int8,
      /** The maxima over blocks, see `RateOf` in `@firn/evm`. */
      max_gas_per_second: float8,
      max_transactions_per_second: float8,
    },
    primaryKey: ['period', 'start'],
  }),
  /** The addresses active in a period, each with the first height for each kind of activity. */
  active_address: table({
    columns: {
      period,
      start: int8,
      address: bytea,
      /**
       * The height at which it was first active in the period; null for an address that only deployed from
       * inside a call.
       */
      since: nullable(int8),
      sender_since: nullable(int8),
      deployer_since: nullable(int8),
    },
    primaryKey: ['period', 'start', 'address'],
    indexes: ['(period, start, address) where deployer_since is not null'],
    parameters: 'fillfactor = 80',
  }),
  /** Added and undone blocks, in order: the change feed. */
  change: table({
    columns: { sequence: int8, undone: bool, height: int8, hash: bytea, parent_hash: bytea, time: int8 },
    primaryKey: ['sequence'],
  }),
}

/** The names of the tables of a block's own rows, in the order in which they are digested. */
export const BLOCK_TABLES = ['block', 'transaction', 'transfer', 'internal_call', 'creation'] as const
export type BlockTable = (typeof BLOCK_TABLES)[number]

/** The tables that are partitioned by height. */
export const EVM_PARTITIONED = partitioned(OWN_TABLES)

export type EvmDatabase = RowsOf<typeof EVM_TABLES>
export type ChainRow = EvmDatabase['chain']
export type BlockRow = EvmDatabase['block']
export type TransactionRow = EvmDatabase['transaction']
export type TransferRow = EvmDatabase['transfer']
export type InternalCallRow = EvmDatabase['internal_call']
export type CreationRow = EvmDatabase['creation']
export type ContractRow = EvmDatabase['contract']
export type TokenRow = EvmDatabase['token']
export type TokenOwnerRow = EvmDatabase['token_owner']
export type TokenBalanceRow = EvmDatabase['token_balance']
export type RollupRow = EvmDatabase['rollup']
export type ActiveAddressRow = EvmDatabase['active_address']
export type ChangeRow = EvmDatabase['change']
