import { bool, bytea, int4, int8, nullable, numeric, text, withDefault } from '@firn/sql/table'
import { table } from './internal/evmTable.ts'

/**
 * The tables that contain the blocks themselves: headers, transactions, transfers, calls, creations and logs. The
 * tables of contracts, tokens, balances, activity and rollups are derived from them.
 */
export const OWN_TABLES = {
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
      /** Gas used according to the block header. */
      gas_used: numeric,
      block_gas_cost: nullable(numeric),
      transactions: int4,
      /** Number of transactions from the chain's first stored block through this block. */
      cumulative_transactions: int8,
      /** Sum of the gas used in the receipts. Metrics use this value. */
      gas_executed: numeric,
      /** Sum of gas used times gas price over the receipts. */
      fees_spent: numeric,
      /** Sum of the gas prices in the receipts. */
      gas_price_sum: numeric,
      /** Maximum gas price in the receipts; null in a block without transactions. */
      gas_price_max: nullable(numeric),
      /** Number of rows in `creation`, including failed and undone creations. */
      creations: int4,
      /** SHA-256 over all stored data of the block, and over whether its traces are missing. */
      digest: bytea,
      /**
       * SHA-256 of the previous block's chain digest (32 zero bytes for the first stored block) followed by
       * `digest`.
       */
      chain_digest: bytea,
      /**
       * SHA-256 over the rows of the block in `log`, and in `log_transaction` if there are any; null if the logs of the block are not stored. It is separate from
       * `digest`, because earlier versions stored no logs.
       */
      log_digest: nullable(bytea),
      /**
       * Height of the newest block whose execution results the header contains; null if the header contains results of
       * the block itself, or if an earlier version stored the block. `digest` does not cover it, because earlier
       * versions did not store it.
       */
      settled_height: nullable(int8),
      /**
       * Number of contracts that the block created. `digest` does not cover it, because earlier versions did not store
       * it.
       */
      contracts: withDefault(int4, '0'),
    },
    primaryKey: ['height'],
    indexes: { storing: ['(time, height)'], requests: ['(hash)'] },
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
      /**
       * The first four bytes of the input, or the whole input if it is shorter. Lists of transactions read
       * this column instead of `input`.
       */
      selector: bytea,
      /** The whole input. It is only read for a single transaction. */
      input: bytea,
      /** Maximum fee per gas; null for transaction types without it. */
      max_fee_per_gas: nullable(numeric),
      max_priority_fee_per_gas: nullable(numeric),
      gas_limit: numeric,
      gas_used: numeric,
      gas_price: numeric,
      succeeded: bool,
    },
    primaryKey: ['height', 'transaction_index'],
    indexes: {
      requests: [
        'using hash (hash)',
        '(sender, height, transaction_index)',
        '(recipient, height, transaction_index)',
        '(height, transaction_index) where not succeeded',
      ],
    },
    partitionBy: ['height'],
  }),
  transfer: table({
    columns: {
      height: int8,
      log_index: int8,
      /** Index of the transfer within an ERC-1155 batch or an ERC-2309 range; `ID_POSITION` if a log of ERC-20 contains the id. */
      position: int4,
      transaction_index: int4,
      /** Token standard: 20, 721 or 1155. */
      standard: int4,
      contract: bytea,
      sender: bytea,
      recipient: bytea,
      token_id: nullable(numeric),
      amount: numeric,
    },
    primaryKey: ['height', 'log_index', 'position'],
    indexes: {
      requests: [
        '(sender, standard, height, log_index, position)',
        '(recipient, standard, height, log_index, position)',
        '(contract, height, log_index, position)',
        '(contract, token_id, height, log_index, position) where token_id is not null',
      ],
    },
    partitionBy: ['height'],
  }),
  /** Internal calls: calls made by contracts during a transaction. */
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
    indexes: {
      requests: [
        '(sender, height, transaction_index, position)',
        '(recipient, height, transaction_index, position)',
      ],
    },
    partitionBy: ['height'],
  }),
  creation: table({
    columns: {
      height: int8,
      transaction_index: int4,
      position: int4,
      /** Opcode of the creation: `CREATE` or `CREATE2`. */
      opcode: text,
      contract: nullable(bytea),
      deployer: bytea,
      creator: bytea,
      /**
       * Whether the contract was created: neither its call nor an enclosing call failed. Only these rows count, in every
       * other table: a failed or undone creation leaves no contract and makes no address a deployer.
       */
      succeeded: bool,
    },
    primaryKey: ['height', 'transaction_index', 'position'],
    indexes: {
      requests: [
        '(deployer, height, transaction_index, position) where succeeded',
        '(creator, height)',
        '(contract)',
      ],
    },
    partitionBy: ['height'],
  }),
  /**
   * Logs of all contracts, as in the receipts. The indexes contain no log index, so that the logs of one block share
   * an entry. The indexes of topics 1 to 3 contain only their last 8 bytes, which hold the significant bytes of
   * addresses and numbers.
   */
  log: table({
    columns: {
      height: int8,
      log_index: int8,
      transaction_index: int4,
      address: bytea,
      topic0: nullable(bytea),
      topic1: nullable(bytea),
      topic2: nullable(bytea),
      topic3: nullable(bytea),
      data: bytea,
    },
    primaryKey: ['height', 'log_index'],
    indexes: {
      requests: [
        '(address, height)',
        '(topic0, height) where topic0 is not null',
        '(substr(topic1, 25), height) where topic1 is not null',
        '(substr(topic2, 25), height) where topic2 is not null',
        '(substr(topic3, 25), height) where topic3 is not null',
      ],
    },
    partitionBy: ['height'],
  }),
  /** Hashes of the transactions of logs, on a chain of which only events are stored. Other chains have no rows. */
  log_transaction: table({
    columns: { height: int8, transaction_index: int4, hash: bytea },
    primaryKey: ['height', 'transaction_index'],
  }),
}

/** Names of the tables whose rows `block.digest` covers, in the order in which they are digested. */
export const DIGESTED_TABLES = ['block', 'transaction', 'transfer', 'internal_call', 'creation'] as const

/** Names of the tables that contain the blocks themselves. */
export const BLOCK_TABLES = [...DIGESTED_TABLES, 'log', 'log_transaction'] as const
export type BlockTable = (typeof BLOCK_TABLES)[number]
