import type { ServiceTables } from '../ServiceTables.ts'

/**
 * The tables of an EVM chain's schema, named as in SQL. Hashes and addresses are bytes, heights and times (Unix seconds) are
 * `bigint`, and so are amounts (wei, or the smallest unit of their token).
 *
 * Rows are only added, each with the height that it came by, so that undoing a block is deleting what came by it; the rollups of
 * metrics, which are sums, are corrected.
 */
export interface EvmDatabase extends ServiceTables {
  readonly chain: ChainRow
  readonly writer: WriterRow
  readonly cursor: CursorRow
  readonly block: BlockRow
  readonly transaction: TransactionRow
  readonly transfer: TransferRow
  readonly internal_call: InternalCallRow
  readonly creation: CreationRow
  readonly contract: ContractRow
  readonly token: TokenRow
  readonly token_unseen: TokenRow
  readonly token_owner: TokenOwnerRow
  readonly token_balance: TokenBalanceRow
  readonly token_metadata: TokenMetadataRow
  readonly rollup: RollupRow
  readonly active_address: ActiveAddressRow
  readonly change: ChangeRow
}

/** Who may write; one row. */
export interface WriterRow {
  fence: bigint
  /**
   * No change has a higher sequence number, not even one that was lost. It is committed synchronously before the first of these
   * numbers is given.
   */
  reserved: bigint
}

/** The chain; one row. */
export interface ChainRow {
  /** The EVM chain id. */
  chain_id: bigint
  name: string
  /** `mainnet`, `testnet` or `local`: whose sums its metrics go into. */
  network: string
  /** Undefined on a chain that isn't Avalanche's. */
  blockchain_id: Uint8Array | null
  subnet_id: Uint8Array | null
  token_name: string
  token_symbol: string
  token_decimals: number
  /** The first block that is stored: what was before is not known. */
  first_height: bigint
  /** Whether blocks come with traces; a chain without has no rows of `internal_call` and only creations at the top level. */
  has_traces: boolean
  /** The hash of block 0 as nodes report it; null while it is unknown. */
  genesis_hash: Uint8Array | null
}

/** The newest block; no row while there is none. */
export interface CursorRow {
  height: bigint
  hash: Uint8Array
  time: bigint
  /** The newest `change.sequence`, or a later number that no change has. */
  sequence: bigint
  /** Why nothing of the chain is served, see `EvmWriter.halt`; null where it is. */
  halted: string | null
}

export interface BlockRow {
  height: bigint
  hash: Uint8Array
  parent_hash: Uint8Array
  time: bigint
  time_milliseconds: bigint | null
  min_delay_excess: bigint | null
  base_fee: bigint | null
  gas_limit: bigint
  /** The header's. */
  gas_used: bigint
  block_gas_cost: bigint | null
  transactions: number
  /** Transactions from the chain's first stored block through this one. */
  cumulative_transactions: bigint
  /** The sum of the receipts' gas: what metrics count. */
  gas_executed: bigint
  /** The sum of gas × price over the receipts. */
  fees_spent: bigint
  /** The sum and the greatest of the receipts' gas prices; null in a block without transactions. */
  gas_price_sum: bigint
  gas_price_max: bigint | null
  /** Creations in it, failed ones included. */
  creations: number
  /** SHA-256 over everything that is stored of the block. */
  digest: Uint8Array
  /** SHA-256 over the chain digest of the block before (32 zero bytes before the first) and `digest`. */
  chain_digest: Uint8Array
}

export interface TransactionRow {
  height: bigint
  transaction_index: number
  hash: Uint8Array
  type: number
  sender: Uint8Array
  recipient: Uint8Array | null
  created: Uint8Array | null
  nonce: bigint
  value: bigint
  /** The first four bytes of the input, fewer where there are fewer: what lists tell of it. */
  selector: Uint8Array
  /** All of it; read where one transaction is asked for. */
  input: Uint8Array
  /** Null where its type has none. */
  max_fee_per_gas: bigint | null
  max_priority_fee_per_gas: bigint | null
  gas_limit: bigint
  gas_used: bigint
  gas_price: bigint
  succeeded: boolean
}

export interface TransferRow {
  height: bigint
  log_index: bigint
  /** The place in a batch of ERC-1155. */
  position: number
  transaction_index: number
  /** 20, 721 or 1155. */
  standard: number
  contract: Uint8Array
  sender: Uint8Array
  recipient: Uint8Array
  token_id: bigint | null
  amount: bigint
}

/** A call inside of a transaction. */
export interface InternalCallRow {
  height: bigint
  transaction_index: number
  position: number
  type: string
  sender: Uint8Array
  recipient: Uint8Array | null
  value: bigint
  gas: bigint
  gas_used: bigint
  succeeded: boolean
}

export interface CreationRow {
  height: bigint
  transaction_index: number
  position: number
  /** `CREATE` or `CREATE2`. */
  opcode: string
  contract: Uint8Array | null
  deployer: Uint8Array
  creator: Uint8Array
  succeeded: boolean
}

/** A contract that was created or that told of transfers. */
export interface ContractRow {
  address: Uint8Array
  /** The height at which it was first seen. */
  since: bigint
  /** 20, 721, 1155, or 0 for any other. */
  standard: number
  /** The bytes of the texts, as the contract says them. */
  name: Uint8Array | null
  symbol: Uint8Array | null
  decimals: number | null
}

/**
 * A token of an ERC-721 or ERC-1155 contract that was ever transferred. Those whose metadata nobody has looked at yet are in
 * `token_unseen` once more.
 */
export interface TokenRow {
  contract: Uint8Array
  token_id: bigint
  standard: number
  since: bigint
}

/** Who owned an ERC-721 token from a height on; the zero address owns those that are burnt. */
export interface TokenOwnerRow {
  contract: Uint8Array
  token_id: bigint
  since: bigint
  /** The first height at which it was another's; null while it is this one's. */
  until: bigint | null
  owner: Uint8Array
}

/**
 * What an address held of a token from a height on. The zero address has no rows. A sum of transfers: a token that moves without
 * telling, or tells what isn't so, may come out negative.
 */
export interface TokenBalanceRow {
  contract: Uint8Array
  /** 20; 1155; or 721, whose rows count an address's tokens of a contract. */
  standard: number
  /** 0 where the standard isn't 1155. */
  token_id: bigint
  address: Uint8Array
  since: bigint
  balance: bigint
}

/** What was found at a token's URI, see `TokenQueue`. */
export interface TokenMetadataRow {
  contract: Uint8Array
  token_id: bigint
  uri: string
  index_status: string
  /** Unix seconds. */
  checked_at: bigint
  attempts: number
  /** Unix seconds; null when it is not asked for again. */
  retry_at: bigint | null
  /** The members of `Metadata` that there are. */
  metadata: unknown
}

/** The periods of rollups; `all` has one row, which starts at 0. Weeks start on Monday, all by UTC. */
export const PERIODS = ['hour', 'day', 'week', 'month', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** What the blocks of a period sum up to. */
export interface RollupRow {
  period: Period
  /** Unix seconds. */
  start: bigint
  blocks: number
  transactions: bigint
  gas: bigint
  fees: bigint
  gas_price_sum: bigint
  gas_price_max: bigint | null
  creations: bigint
  addresses: bigint
  senders: bigint
  deployers: bigint
  /** Addresses and deployers that were never active before: their sums over periods are cumulative metrics. */
  new_addresses: bigint
  new_deployers: bigint
  /** When its last block was, Unix milliseconds. */
  last_milliseconds: bigint
  /** The greatest of a block, see `RateOf` in `@firn/evm`. */
  max_gas_per_second: number
  max_transactions_per_second: number
}

/** Who was active in a period: from which height on, by each meaning. */
export interface ActiveAddressRow {
  period: Period
  start: bigint
  address: Uint8Array
  /** The height by which it was first active in the period; null for one that only deployed, from inside of a call. */
  since: bigint | null
  sender_since: bigint | null
  deployer_since: bigint | null
}

/** What came to be and what was undone, in order: what followers of the chain are told. */
export interface ChangeRow {
  sequence: bigint
  undone: boolean
  height: bigint
  hash: Uint8Array
  parent_hash: Uint8Array
  time: bigint
}
