import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { CheckResultRow, ServiceStore } from './ServiceTables.ts'

/** Number of findings that are stored, and their longest length in characters. */
const MAX_FINDINGS = 100
const MAX_LENGTH = 1_000

/** The result of a check of the stored data. */
export interface CheckResult {
  /** What was checked, such as `doctor`. Its last result is replaced. */
  readonly kind: string
  /** Time of its end in Unix seconds. */
  readonly finishedAt: number
  readonly milliseconds: number
  /** Whether the check ran to its end. */
  readonly isComplete: boolean
  /** All findings, of which the first 100 are stored. */
  readonly findings: readonly string[]
}

/**
 * Stores the result of a check in place of the last one of its kind.
 *
 * @example
 * ```ts
 * import { CheckResults, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const result = { finishedAt: 1_767_225_600, milliseconds: 900, isComplete: true, findings: [] }
 * await CheckResults.put(store, { kind: 'doctor', ...result })
 * ```
 * @throws StoreError `STORE_READ_ONLY`, `STORE_UNAVAILABLE`
 */
export async function put(store: ServiceStore, result: CheckResult): Promise<void> {
  const { kind, finishedAt, milliseconds, isComplete, findings } = result
  const first = findings.slice(0, MAX_FINDINGS).map((text) => text.replaceAll('\0', '').slice(0, MAX_LENGTH))
  await fetchRows(
    store,
    sql`
    insert into check_result (kind, finished_at, milliseconds, is_complete, finding_count, findings)
    values (${kind}, ${BigInt(finishedAt)}, ${BigInt(Math.round(milliseconds))}, ${isComplete}, ${findings.length}, ${first})
    on conflict (kind) do update set finished_at = excluded.finished_at, milliseconds = excluded.milliseconds,
      is_complete = excluded.is_complete, finding_count = excluded.finding_count, findings = excluded.findings`,
  )
}

/**
 * Returns the last result of each kind of check.
 *
 * @example
 * ```ts
 * import { CheckResults, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const [last] = await CheckResults.list(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export function list(store: ServiceStore): Promise<CheckResultRow[]> {
  return fetchRows(store, sql<CheckResultRow>`select * from check_result order by kind`)
}
