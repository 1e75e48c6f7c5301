import type { EVM_TABLES } from './EvmSchema.ts'

/** A kind of data of an EVM chain. Retention and disk usage are given for each kind. */
export interface DataKind {
  /** What the kind contains. */
  readonly contents: string
  /** Whether old data can be removed. */
  readonly isPrunable: boolean
  /** The kinds to which the rows refer. The kind can't be kept longer than these. */
  readonly refersTo: readonly ('blocks' | 'transactions')[]
}

const ofTransactions = { isPrunable: true, refersTo: ['transactions', 'blocks'] } as const
const alone = { isPrunable: true, refersTo: [] } as const

/**
 * The kinds of data. Each comes after the kinds that refer to it.
 *
 * Removed `transactions` are not found, and lists of them end at the kept height. Removed `transfers` and `traces` are
 * absent from transactions, and their lists end there too, as do lists of `logs`, `events` and `blocks`. The gateway
 * forwards `eth_getLogs` for lower heights to nodes. Removed `messages` are not found. Of `balances`, the newest ones before the kept height remain, so
 * that balances are known from the block before it on. Of `blocks`, the chain's first header remains. Of `changes`, the
 * feed can be read from the first kept change on. Of `metrics`, the totals of days, weeks and months remain.
 */
export const DATA_KINDS = {
  transfers: { contents: 'token transfers', ...ofTransactions },
  logs: { contents: 'event logs', ...ofTransactions },
  traces: { contents: 'internal calls', ...ofTransactions },
  events: { contents: 'events decoded by ABIs', ...ofTransactions },
  transactions: { contents: 'transactions with their inputs', isPrunable: true, refersTo: ['blocks'] },
  messages: { contents: 'interchain messages and what happened to them', ...alone },
  blocks: { contents: 'headers', ...alone },
  changes: { contents: 'the change feed', ...alone },
  balances: { contents: 'balances, owners, and what contracts returned, at earlier blocks', ...alone },
  metrics: { contents: 'totals per hour, day, week and month; those per hour can be removed', ...alone },
  images: { contents: 'copies of the images of tokens', isPrunable: false, refersTo: [] },
  state: {
    contents: 'contracts, tokens, newest balances, and the last activity of addresses',
    isPrunable: false,
    refersTo: [],
  },
} as const satisfies Readonly<Record<string, DataKind>>

/** Name of a kind of data. */
export type KindName = keyof typeof DATA_KINDS

/** Name of a kind whose old data can be removed. */
export type PrunableKind = {
  [K in KindName]: (typeof DATA_KINDS)[K]['isPrunable'] extends true ? K : never
}[KindName]
/** Name of a kind whose data is removed below a height. Of `metrics`, it is removed before a time. */
export type HeightKind = Exclude<PrunableKind, 'metrics'>
type LastingKind = Exclude<KindName, PrunableKind>

/** The tables in which a row is valid until another one of the same holding or token replaces it. */
export type ReplacedTable = 'token_balance' | 'token_owner' | 'balance_reading'
/** The tables that have rows of hours among rows of longer periods. */
type HourlyTable = 'rollup' | 'last_activity_count' | 'icm_count'

/**
 * How old rows are removed. `height`: rows of lower heights, by dropping partitions if the table has them, and otherwise
 * by deleting rows. `replaced`: rows that others replaced at lower heights. `sequence`: the oldest changes, up to the
 * first one of a kept height. `hour`: rows of earlier hours. `never`: the rows are the newest state, or are few.
 */
type RemovalOf<Name extends keyof typeof EVM_TABLES> = Name extends ReplacedTable
  ? { readonly kind: PrunableKind; readonly removal: 'replaced' }
  : Name extends HourlyTable
    ? { readonly kind: 'metrics'; readonly removal: 'hour' }
    : Name extends 'change'
      ? { readonly kind: 'changes'; readonly removal: 'sequence' }
      :
          | { readonly kind: LastingKind; readonly removal: 'never' }
          | ('height' extends keyof (typeof EVM_TABLES)[Name]['columns']
              ? { readonly kind: PrunableKind; readonly removal: 'height' }
              : never)

const never = { kind: 'state', removal: 'never' } as const
const byHeight = <const K extends PrunableKind>(kind: K) => ({ kind, removal: 'height' }) as const
const replaced = { kind: 'balances', removal: 'replaced' } as const
const hourly = { kind: 'metrics', removal: 'hour' } as const

/**
 * The kind of each table, and how its old rows are removed. The tables of decoded events, which are not listed here, are
 * of the kind `events`, and their rows are removed by height.
 */
export const TABLE_RETENTION: { readonly [Name in keyof typeof EVM_TABLES]: RemovalOf<Name> } = {
  api_key: never,
  secret: never,
  check_result: never,
  lease: never,
  // The services that deliver webhooks remove old deliveries.
  webhook_revision: never,
  webhook: never,
  webhook_key: never,
  webhook_secret: never,
  webhook_source: never,
  webhook_event: never,
  webhook_delivery: never,
  webhook_queue: never,
  chain: never,
  writer: never,
  sharding: never,
  height_shard: never,
  address_shard: never,
  cursor: never,
  deferred_index: never,
  pruned: never,
  block: byHeight('blocks'),
  transaction: byHeight('transactions'),
  transfer: byHeight('transfers'),
  internal_call: byHeight('traces'),
  // An answer about a contract tells its creator.
  creation: never,
  // Rows of blocks whose data is removed are deleted then.
  trace_gap: never,
  // Headers from the lowest of its heights on are not removed.
  stale_digest: never,
  log: byHeight('logs'),
  log_transaction: byHeight('logs'),
  log_selection: never,
  contract: never,
  contract_due: never,
  contract_version: byHeight('balances'),
  token: never,
  token_unseen: never,
  token_owner: replaced,
  token_balance: replaced,
  token_holder: never,
  item_holder: never,
  token_airdrop: never,
  token_metadata: never,
  token_image: never,
  // The worker that stores copies of images limits their total size.
  image: { kind: 'images', removal: 'never' },
  wrapping: byHeight('transfers'),
  // A row is added only when the checks skipped blocks.
  checked_range: never,
  // A contract gets a row only when its class changes.
  token_check: never,
  unchecked_balance: never,
  balance_reading: replaced,
  rollup: hourly,
  // An address has one row, from which follows whether it is new.
  last_activity: never,
  pruned_activity: never,
  last_activity_count: hourly,
  event_table: never,
  icm_message: byHeight('messages'),
  icm_event: byHeight('messages'),
  icm_count: hourly,
  icm_progress: never,
  change: { kind: 'changes', removal: 'sequence' },
}

/** The kinds whose old data can be removed. */
export const PRUNABLE = Object.entries(DATA_KINDS)
  .filter(([, { isPrunable }]) => isPrunable)
  .map(([name]) => name as PrunableKind)

type Name = keyof typeof TABLE_RETENTION
type Removal = (typeof TABLE_RETENTION)[Name]['removal']

/** Returns the names of a kind's tables whose old rows are removed in a way, without the tables of decoded events. */
export function tablesOf<R extends Removal>(
  kind: KindName,
  removal: R,
): readonly (R extends 'replaced' ? ReplacedTable : Name)[] {
  return (Object.keys(TABLE_RETENTION) as Name[]).filter((name) => {
    const own = TABLE_RETENTION[name]
    return own.kind === kind && own.removal === removal
  }) as (R extends 'replaced' ? ReplacedTable : Name)[]
}
