import type { EVM_TABLES } from './EvmSchema.ts'

/** A kind of data of an EVM chain. Retention and disk usage are given for each kind. */
export interface DataKind {
  /** What the kind contains. */
  readonly contents: string
  /** Whether old data can be removed. */
  readonly isPrunable: boolean
}

/**
 * The kinds of data. `transactions` are kept at least as long as the other kinds that can be removed, because their
 * rows refer to transactions.
 *
 * Removed `transactions` are not found, and lists of them end at the kept height. Removed `transfers` and `traces` are
 * absent from transactions, and their lists end there too, as do those of `logs` and `events`. The gateway forwards
 * `eth_getLogs` for lower heights to nodes.
 */
export const DATA_KINDS = {
  blocks: { contents: 'headers, and the change feed', isPrunable: false },
  transfers: { contents: 'token transfers', isPrunable: true },
  logs: { contents: 'event logs', isPrunable: true },
  traces: { contents: 'internal calls', isPrunable: true },
  events: { contents: 'events decoded by ABIs', isPrunable: true },
  transactions: { contents: 'transactions with their inputs', isPrunable: true },
  metrics: { contents: 'totals per period, and active addresses', isPrunable: false },
  state: { contents: 'contracts, tokens, balances and owners', isPrunable: false },
} as const satisfies Readonly<Record<string, DataKind>>

/** Name of a kind of data. */
export type KindName = keyof typeof DATA_KINDS

/** Name of a kind whose old data can be removed. */
export type PrunableKind = {
  [K in KindName]: (typeof DATA_KINDS)[K]['isPrunable'] extends true ? K : never
}[KindName]

/** The kind of each table. The tables of decoded events, which are not listed here, are of the kind `events`. */
export const KIND_OF_TABLE: { readonly [T in keyof typeof EVM_TABLES]: KindName } = {
  api_key: 'state',
  secret: 'state',
  lease: 'state',
  chain: 'state',
  writer: 'state',
  sharding: 'state',
  height_shard: 'state',
  address_shard: 'state',
  cursor: 'state',
  pruned: 'state',
  block: 'blocks',
  transaction: 'transactions',
  transfer: 'transfers',
  internal_call: 'traces',
  creation: 'state',
  log: 'logs',
  log_transaction: 'logs',
  log_selection: 'state',
  contract: 'state',
  contract_due: 'state',
  contract_version: 'state',
  token: 'state',
  token_unseen: 'state',
  token_owner: 'state',
  token_balance: 'state',
  token_holder: 'state',
  token_metadata: 'state',
  wrapping: 'transfers',
  checked_range: 'state',
  token_check: 'state',
  unchecked_balance: 'state',
  balance_reading: 'state',
  rollup: 'metrics',
  last_activity: 'metrics',
  pruned_activity: 'metrics',
  last_activity_count: 'metrics',
  event_table: 'events',
  change: 'blocks',
}

/** The kinds whose old data can be removed. */
export const PRUNABLE = Object.entries(DATA_KINDS)
  .filter(([, { isPrunable }]) => isPrunable)
  .map(([name]) => name as PrunableKind)

/** Returns the names of a kind's tables in the schema, without the tables of decoded events. */
export function tablesOf(kind: KindName): readonly string[] {
  return Object.entries(KIND_OF_TABLE).flatMap(([table, of]) => (of === kind ? [table] : []))
}
