import type { EVM_TABLES } from './EvmSchema.ts'

/** A kind of data of an EVM chain. Retention and disk usage are given for each kind. */
export interface DataKind {
  /** What the kind contains. */
  readonly contents: string
  /** Whether old data can be removed. */
  readonly isPrunable: boolean
  /** Whether the rows refer to transactions. Such a kind can't be kept longer than the transactions. */
  readonly refersToTransactions: boolean
}

/**
 * The kinds of data.
 *
 * Removed `transactions` are not found, and lists of them end at the kept height. Removed `transfers` and `traces` are
 * absent from transactions, and their lists end there too, as do those of `logs` and `events`. The gateway forwards
 * `eth_getLogs` for lower heights to nodes. Of `balances`, the newest ones before the kept height remain, so that
 * balances are known from the block before it on.
 */
export const DATA_KINDS = {
  blocks: { contents: 'headers, and the change feed', isPrunable: false, refersToTransactions: false },
  transfers: { contents: 'token transfers', isPrunable: true, refersToTransactions: true },
  logs: { contents: 'event logs', isPrunable: true, refersToTransactions: true },
  traces: { contents: 'internal calls', isPrunable: true, refersToTransactions: true },
  events: { contents: 'events decoded by ABIs', isPrunable: true, refersToTransactions: true },
  transactions: {
    contents: 'transactions with their inputs',
    isPrunable: true,
    refersToTransactions: false,
  },
  balances: {
    contents: 'balances, owners, and what contracts returned, at earlier blocks',
    isPrunable: true,
    refersToTransactions: false,
  },
  metrics: {
    contents: 'totals per period, and active addresses',
    isPrunable: false,
    refersToTransactions: false,
  },
  state: {
    contents: 'contracts, tokens, and newest balances',
    isPrunable: false,
    refersToTransactions: false,
  },
} as const satisfies Readonly<Record<string, DataKind>>

/** Name of a kind of data. */
export type KindName = keyof typeof DATA_KINDS

/** Name of a kind whose old data can be removed. */
export type PrunableKind = {
  [K in KindName]: (typeof DATA_KINDS)[K]['isPrunable'] extends true ? K : never
}[KindName]
type LastingKind = Exclude<KindName, PrunableKind>

/** The tables in which a row is valid until another one of the same holding or token replaces it. */
export type ReplacedTable = 'token_balance' | 'token_owner' | 'balance_reading'

/**
 * How old rows are removed. `height`: rows of lower heights, by dropping partitions if the table has them, and otherwise
 * by deleting rows. `replaced`: rows that others replaced at lower heights. `never`: the rows are the newest state, are
 * few, or belong to a kind that is always kept.
 */
type RemovalOf<Name extends keyof typeof EVM_TABLES> = Name extends ReplacedTable
  ? { readonly kind: PrunableKind; readonly removal: 'replaced' }
  :
      | { readonly kind: LastingKind; readonly removal: 'never' }
      | ('height' extends keyof (typeof EVM_TABLES)[Name]['columns']
          ? { readonly kind: PrunableKind; readonly removal: 'height' }
          : never)

const never = <const K extends LastingKind>(kind: K) => ({ kind, removal: 'never' }) as const
const byHeight = <const K extends PrunableKind>(kind: K) => ({ kind, removal: 'height' }) as const
const replaced = { kind: 'balances', removal: 'replaced' } as const

/**
 * The kind of each table, and how its old rows are removed. The tables of decoded events, which are not listed here, are
 * of the kind `events`, and their rows are removed by height.
 */
export const TABLE_RETENTION: { readonly [Name in keyof typeof EVM_TABLES]: RemovalOf<Name> } = {
  api_key: never('state'),
  secret: never('state'),
  lease: never('state'),
  chain: never('state'),
  writer: never('state'),
  sharding: never('state'),
  height_shard: never('state'),
  address_shard: never('state'),
  cursor: never('state'),
  pruned: never('state'),
  block: never('blocks'),
  transaction: byHeight('transactions'),
  transfer: byHeight('transfers'),
  internal_call: byHeight('traces'),
  // An answer about a contract tells its creator.
  creation: never('state'),
  log: byHeight('logs'),
  log_transaction: byHeight('logs'),
  log_selection: never('state'),
  contract: never('state'),
  contract_due: never('state'),
  contract_version: byHeight('balances'),
  token: never('state'),
  token_unseen: never('state'),
  token_owner: replaced,
  token_balance: replaced,
  token_holder: never('state'),
  token_metadata: never('state'),
  wrapping: byHeight('transfers'),
  // A row is added only when the checks skipped blocks.
  checked_range: never('state'),
  // A contract gets a row only when its class changes.
  token_check: never('state'),
  unchecked_balance: never('state'),
  balance_reading: replaced,
  rollup: never('metrics'),
  last_activity: never('metrics'),
  pruned_activity: never('metrics'),
  last_activity_count: never('metrics'),
  event_table: never('state'),
  change: never('blocks'),
}

/** The kinds whose old data can be removed. */
export const PRUNABLE = Object.entries(DATA_KINDS)
  .filter(([, { isPrunable }]) => isPrunable)
  .map(([name]) => name as PrunableKind)

type Name = keyof typeof TABLE_RETENTION

/** Returns the names of a kind's tables whose old rows are removed in a way, without the tables of decoded events. */
export function tablesOf(kind: KindName, removal: 'height'): readonly Name[]
export function tablesOf(kind: KindName, removal: 'replaced'): readonly ReplacedTable[]
export function tablesOf(kind: KindName, removal: string): readonly Name[] {
  return (Object.keys(TABLE_RETENTION) as Name[]).filter((name) => {
    const own = TABLE_RETENTION[name]
    return own.kind === kind && own.removal === removal
  })
}
