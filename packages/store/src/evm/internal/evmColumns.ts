import { bool, bytea, type Columns, int4, int8, numeric, text } from '../../internal/rows.ts'
import type { EvmDatabase } from '../EvmSchema.ts'

/** The tables that a block's own rows are in. What is in the others follows from them. */
export const BLOCK_TABLES = ['block', 'transaction', 'transfer', 'internal_call', 'creation'] as const
export type BlockTable = (typeof BLOCK_TABLES)[number]

/** The tables whose rows come in bulk. */
export type EvmTable =
  | BlockTable
  | 'contract'
  | 'token'
  | 'token_unseen'
  | 'token_owner'
  | 'token_balance'
  | 'active_address'
  | 'change'

const token = { contract: bytea, token_id: numeric, standard: int4, since: int8 }

/** The columns of each table, as they are copied and, of a block's own rows, digested. */
export const EVM_COLUMNS: { readonly [T in EvmTable]: Columns<EvmDatabase[T]> } = {
  block: {
    height: int8,
    hash: bytea,
    parent_hash: bytea,
    time: int8,
    time_milliseconds: int8,
    min_delay_excess: int8,
    base_fee: numeric,
    gas_limit: numeric,
    gas_used: numeric,
    block_gas_cost: numeric,
    transactions: int4,
    cumulative_transactions: int8,
    gas_executed: numeric,
    fees_spent: numeric,
    gas_price_sum: numeric,
    gas_price_max: numeric,
    creations: int4,
    digest: bytea,
    chain_digest: bytea,
  },
  transaction: {
    height: int8,
    transaction_index: int4,
    hash: bytea,
    type: int4,
    sender: bytea,
    recipient: bytea,
    created: bytea,
    nonce: numeric,
    value: numeric,
    selector: bytea,
    input: bytea,
    max_fee_per_gas: numeric,
    max_priority_fee_per_gas: numeric,
    gas_limit: numeric,
    gas_used: numeric,
    gas_price: numeric,
    succeeded: bool,
  },
  transfer: {
    height: int8,
    log_index: int8,
    position: int4,
    transaction_index: int4,
    standard: int4,
    contract: bytea,
    sender: bytea,
    recipient: bytea,
    token_id: numeric,
    amount: numeric,
  },
  internal_call: {
    height: int8,
    transaction_index: int4,
    position: int4,
    type: text,
    sender: bytea,
    recipient: bytea,
    value: numeric,
    gas: numeric,
    gas_used: numeric,
    succeeded: bool,
  },
  creation: {
    height: int8,
    transaction_index: int4,
    position: int4,
    opcode: text,
    contract: bytea,
    deployer: bytea,
    creator: bytea,
    succeeded: bool,
  },
  contract: { address: bytea, since: int8, standard: int4, name: bytea, symbol: bytea, decimals: int4 },
  token,
  token_unseen: token,
  token_owner: { contract: bytea, token_id: numeric, since: int8, until: int8, owner: bytea },
  token_balance: {
    contract: bytea,
    standard: int4,
    token_id: numeric,
    address: bytea,
    since: int8,
    balance: numeric,
  },
  active_address: {
    period: text,
    start: int8,
    address: bytea,
    since: int8,
    sender_since: int8,
    deployer_since: int8,
  },
  change: { sequence: int8, undone: bool, height: int8, hash: bytea, parent_hash: bytea, time: int8 },
}
