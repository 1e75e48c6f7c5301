import { Hex } from '@firn/codec'
import { DATABASE } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'

/** The tables whose rows depend only on the chain, with the columns to sort by. */
const TABLES = {
  chain: 'chain_id',
  block: 'height',
  transaction: 'height, transaction_index',
  transfer: 'height, log_index, position',
  internal_call: 'height, transaction_index, position',
  creation: 'height, transaction_index, position',
  trace_gap: 'height',
  stale_digest: 'height',
  log: 'height, log_index',
  log_transaction: 'height, transaction_index',
  log_selection: 'topic0, address',
  contract: 'address',
  token: 'contract, token_id',
  token_unseen: 'contract, token_id',
  token_owner: 'contract, token_id, since',
  token_balance: 'contract, standard, token_id, address, since',
  wrapping: 'height, log_index',
  token_holder: 'contract, standard, address',
  item_holder: 'contract, token_id, address',
  token_airdrop: 'contract',
  rollup: 'period, start',
  last_activity: 'address',
  last_activity_count: 'period, start',
  icm_message: 'height, log_index',
  icm_event: 'height, log_index',
  icm_count: 'period, start, is_sent, source, destination',
  icm_progress: 'from_height',
} as const

/** The tables of the checks of balances and of the readings of contracts. They depend on when the checks ran. */
const CHECKS = [
  'checked_range',
  'token_check',
  'unchecked_balance',
  'balance_reading',
  'contract_due',
  'contract_version',
]

/**
 * Returns all rows of an EVM chain's tables as strings. The change feed is left out, because it depends on
 * how the chain was written. For tests only.
 */
export async function evmContents(store: EvmStore): Promise<Record<string, readonly string[]>> {
  const contents: Record<string, readonly string[]> = {}
  for (const [table, order] of Object.entries(TABLES)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)} order by ${sql.raw(order)}`.execute(
      store[DATABASE],
    )
    contents[table] = rows.map(textOf)
  }
  const cursor = await store[DATABASE].selectFrom('cursor').select(['height', 'hash', 'time']).execute()
  return { ...contents, cursor: cursor.map(textOf) }
}

function textOf(row: object): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${value instanceof Uint8Array ? Hex.encode(value) : String(value)}`)
    .join(', ')
}

/** Deletes all rows of an EVM chain except the writer's fence and the rows of services. For tests only. */
export async function clearEvm(store: EvmStore): Promise<void> {
  const tables = [
    ...Object.keys(TABLES),
    ...CHECKS,
    'cursor',
    'change',
    'token_metadata',
    'token_image',
    'image',
    'pruned',
    'pruned_activity',
  ]
  await sql.raw(`truncate ${tables.join(', ')}`).execute(store[DATABASE])
}
