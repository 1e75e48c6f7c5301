import type { Driver } from './Driver.ts'

/**
 * Returns a statement that changes settings until the end of the database transaction. Citus applies `set local` on its
 * workers too, but not `set_config`. The block lets one statement change several settings.
 * @example
 * ```ts
 * import { setLocal } from '@firn/sql'
 *
 * setLocal({ synchronous_commit: 'on' }) // 'do $$ begin set local synchronous_commit to on; end $$'
 * ```
 */
export function setLocal(settings: Readonly<Record<string, string>>): string {
  const statements = Object.entries(settings).map(([name, value]) => `set local ${name} to ${value};`)
  return `do $$ begin ${statements.join(' ')} end $$`
}

/**
 * Settings that make updates by key look up each key in its partition. The planner can't know that a batch is
 * small compared with a table, because its plans date from when the tables were empty. It would therefore
 * scan whole tables.
 */
const PLANNER = Object.fromEntries(
  ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan', 'material'].map((method) => [`enable_${method}`, 'off']),
)

/** The statement that sets the plans. */
export const PLANS = setLocal(PLANNER)

/** The statement that sets the plans, and lets the commit not wait for the disk. */
export const PLANS_WITHOUT_WAIT = setLocal({ ...PLANNER, synchronous_commit: 'off' })

/**
 * Returns the settings for a database transaction with the given number of blocks. With more than one block, the
 * writer is catching up and doesn't wait for the disk. If the server crashes, whole transactions of about the last
 * second are lost, and the next writer resumes from the remaining cursors. An embedded database always waits: it has
 * no process that flushes commits later, so all commits since its last checkpoint would be lost when it is killed.
 * @example
 * ```ts
 * import { commitSettings, type Driver } from '@firn/sql'
 *
 * declare const driver: Driver
 * await driver.transaction((session) => session.query(commitSettings(100, driver)))
 * ```
 */
export function commitSettings(blocks: number, { isShared }: Driver): string {
  return blocks > 1 && isShared ? PLANS_WITHOUT_WAIT : PLANS
}
