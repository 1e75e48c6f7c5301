import type { EVM_TABLES } from './EvmSchema.ts'

type EvmTables = typeof EVM_TABLES

/** Columns by which tables are sharded: rows with the same value are on the same worker. */
export const SHARD_KEYS = ['height', 'address', 'contract'] as const
export type ShardKey = (typeof SHARD_KEYS)[number]

/**
 * Where the rows of a table are if its chain is sharded over the workers of a Citus cluster: on the workers by the
 * value of a column, as copies on all servers, or on the coordinator.
 */
type PlacementOf<Column> = Extract<Column, ShardKey> | 'everywhere' | 'coordinator'
export type Placement = PlacementOf<ShardKey>

/**
 * The placement of each table. The tables of decoded events, which are not listed here, are sharded by height. Tables
 * that grow with the chain are sharded by the column that most statements select by. Small tables with which they are
 * joined are everywhere. What each commit changes and each request reads is on the coordinator.
 */
export const PLACEMENTS: { readonly [T in keyof EvmTables]: PlacementOf<keyof EvmTables[T]['columns']> } = {
  api_key: 'coordinator',
  secret: 'coordinator',
  check_result: 'coordinator',
  lease: 'coordinator',
  webhook_revision: 'coordinator',
  webhook: 'coordinator',
  webhook_key: 'coordinator',
  webhook_secret: 'coordinator',
  webhook_source: 'coordinator',
  webhook_event: 'coordinator',
  webhook_delivery: 'coordinator',
  webhook_queue: 'coordinator',
  chain: 'everywhere',
  writer: 'coordinator',
  sharding: 'coordinator',
  height_shard: 'height',
  address_shard: 'address',
  cursor: 'coordinator',
  deferred_index: 'coordinator',
  pruned: 'everywhere',
  block: 'height',
  transaction: 'height',
  transfer: 'height',
  internal_call: 'height',
  creation: 'height',
  trace_gap: 'everywhere',
  stale_digest: 'coordinator',
  log: 'height',
  log_transaction: 'height',
  log_selection: 'coordinator',
  contract: 'everywhere',
  contract_due: 'everywhere',
  contract_version: 'everywhere',
  token: 'contract',
  token_unseen: 'contract',
  token_owner: 'contract',
  token_balance: 'address',
  token_holder: 'address',
  item_holder: 'address',
  token_airdrop: 'contract',
  token_metadata: 'contract',
  token_image: 'contract',
  image: 'coordinator',
  wrapping: 'height',
  checked_range: 'everywhere',
  token_check: 'everywhere',
  unchecked_balance: 'address',
  balance_reading: 'address',
  rollup: 'coordinator',
  last_activity: 'address',
  pruned_activity: 'address',
  last_activity_count: 'coordinator',
  event_table: 'coordinator',
  icm_message: 'everywhere',
  icm_event: 'everywhere',
  icm_count: 'coordinator',
  icm_progress: 'coordinator',
  change: 'coordinator',
}
