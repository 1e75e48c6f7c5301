import type { ServiceTables } from './ServiceTables.ts'

/**
 * The tables of a network's schema, named as in SQL. Ids, addresses and bodies are bytes, heights and times (Unix seconds) are
 * `bigint`, and so are amounts and weights (nAVAX, or the smallest unit of their asset).
 *
 * Rows of `block`, `transaction`, `transaction_address`, `utxo` and `utxo_address` only come to be; a UTXO's consumption is
 * filled in later. The other tables keep one version of a record for each height at which it changed: at height `h` those with
 * `since <= h and (until is null or until > h)` hold.
 */
export interface Database extends ServiceTables {
  readonly network: NetworkRow
  readonly writer: WriterRow
  readonly cursor: CursorRow
  readonly block: BlockRow
  readonly transaction: TransactionRow
  readonly transaction_address: TransactionAddressRow
  readonly utxo: UtxoRow
  readonly utxo_address: UtxoAddressRow
  readonly staker: StakerRow
  readonly subnet: SubnetRow
  readonly blockchain: BlockchainRow
  readonly supply: VersionRow
  readonly l1_validator: L1ValidatorRow
  readonly expiry: VersionRow
  readonly member: MemberRow
  readonly asset: AssetRow
}

/** A chain of the Primary Network. */
export type Chain = 'P' | 'X' | 'C'

/** The network; one row. */
export interface NetworkRow {
  network_id: bigint
  genesis: Uint8Array
  genesis_id: Uint8Array
  /** Upgrade times and other rules, see `NetworkRules`; 64-bit numbers are text. */
  upgrades: unknown
  settings: unknown
}

/** The token of the writer that may write; one row. */
export interface WriterRow {
  fence: bigint
}

/** Where a chain stands: one row for each chain. */
export interface CursorRow {
  chain: Chain
  height: bigint
  block_id: Uint8Array
  time: bigint
}

/** An accepted block. P- and X-chain begin with their block 0. */
export interface BlockRow {
  chain: Chain
  height: bigint
  /** The inner block's id; on the C-chain the EVM block's hash. */
  id: Uint8Array
  parent_id: Uint8Array
  /** The block's own time; before Banff the P-chain's time after it. */
  time: bigint
  /** Null where only the inner block is known. */
  container_id: Uint8Array | null
  /** The proposervm container, or the inner block where that is all that is known. */
  container: Uint8Array
  /** Where in `container` the inner block is. */
  inner_offset: number
  inner_length: number
  /** When a node accepted it, nanoseconds since 1970, where that is known. */
  accepted_at: bigint | null
  /** How many transactions it contains; of the C-chain atomic ones. */
  transactions: number
  /** P-chain: fees and gas after the block, see `PlatformState`. */
  state: Uint8Array | null
  /** SHA-256 of the digest of the block before and this block's id. */
  digest: Uint8Array
}

/** An accepted transaction; on the C-chain an atomic one. Those of the genesis are at height 0. */
export interface TransactionRow {
  chain: Chain
  /** The block that contains it, and its place there. */
  height: bigint
  position: number
  id: Uint8Array
  /** The name of its type, such as `BaseTx`. */
  name: string
  status: 'Committed' | 'Aborted' | 'Accepted'
  /** The block after which its fate was known: of a proposal the next. */
  decided_height: bigint
  /** Signed. */
  bytes: Uint8Array
}

/**
 * Who has to do with a transaction: owners of what it consumed, made or staked, and of the rewards that it asks for, and the L1
 * validators that it is about.
 */
export interface TransactionAddressRow {
  chain: Chain
  /** 20 bytes, on the C-chain EVM addresses too; the 32 bytes of a validation id. */
  address: Uint8Array
  /** That of the transaction's type. */
  name: string
  height: bigint
  position: number
}

/** An output, spent or not. */
export interface UtxoRow {
  /** The input id. */
  id: Uint8Array
  /** Where it can be spent: another chain than `source` after an export. */
  chain: Chain
  /** Where it was made, the block there that made it, and its place among what that block made. */
  source: Chain
  height: bigint
  ordinal: number
  /** The chain's time after that block. */
  time: bigint
  tx_id: Uint8Array
  output_index: number
  asset_id: Uint8Array
  /** Type id and fields, see `RecordCodec.output`. */
  output: Uint8Array
  /** The codec's type id of what holds the value: 7 of a transfer, also behind a lock. */
  output_type: number
  /** Null for outputs without one. */
  amount: bigint | null
  locktime: bigint
  /** Of a P-chain output that can only be staked until then. */
  stakeable_locktime: bigint | null
  threshold: number
  addresses: Uint8Array[]
  origin: 'genesis' | 'output' | 'stake' | 'reward' | 'refund'
  /** The transaction under which a node lists a reward. */
  reward_tx_id: Uint8Array | null
  /** The block of `chain` that consumed it, and that chain's time after it. */
  consumed_height: bigint | null
  consumed_tx_id: Uint8Array | null
  consumed_time: bigint | null
}

/** A UTXO once more for each of its addresses. */
export interface UtxoAddressRow {
  address: Uint8Array
  chain: Chain
  source: Chain
  height: bigint
  ordinal: number
  id: Uint8Array
  consumed_height: bigint | null
}

/** One version of a record. */
export interface VersionRow {
  key: Uint8Array
  since: bigint
  until: bigint | null
  /** Its place among the versions of its table that came at `since`. */
  ordinal: number
  /** The whole record, see `RecordCodec`. */
  body: Uint8Array
}

/** Key: the transaction that added it. */
export interface StakerRow extends VersionRow {
  subnet_id: Uint8Array
  node_id: Uint8Array
  role: 'validator' | 'delegator'
  kind: 'primary' | 'permissioned' | 'permissionless'
  status: 'pending' | 'current'
  priority: number
  start_time: bigint
  end_time: bigint
  weight: bigint
  /** Owners of the staked outputs. */
  stake_addresses: Uint8Array[]
  /** Who gets rewards, a validator's part of its delegators' included. */
  reward_addresses: Uint8Array[]
}

/** Key: the subnet's id. */
export interface SubnetRow extends VersionRow {
  created_height: bigint
  created_ordinal: number
}

/** Key: the chain's id. */
export interface BlockchainRow extends VersionRow {
  subnet_id: Uint8Array
  created_height: bigint
  created_ordinal: number
}

/** Key: the validation id. */
export interface L1ValidatorRow extends VersionRow {
  subnet_id: Uint8Array
  node_id: Uint8Array
  weight: bigint
  active: boolean
  end_accumulated_fee: bigint
}

/** Key: subnet id and node id. The sets of every height are one query. */
export interface MemberRow extends VersionRow {
  subnet_id: Uint8Array
  node_id: Uint8Array
  weight: bigint
  /** 48 bytes. */
  public_key: Uint8Array | null
}

/** Key: the asset's id; `since` is a height of the X-chain. */
export interface AssetRow extends VersionRow {
  name: string
  symbol: string
  denomination: number
}

/** The tables of versions. */
export type VersionTable =
  | 'staker'
  | 'subnet'
  | 'blockchain'
  | 'supply'
  | 'l1_validator'
  | 'expiry'
  | 'member'
  | 'asset'
