import { isFirnError } from '@firn/codec'
import type { Terminal } from '@firn/options'
import { CheckResults, type ServiceStore } from '@firn/service-store'

/** A finished check. */
export type Checked = {
  readonly kind: string
  /** Time of its start, in milliseconds since 1970. */
  readonly startedAt: number
  readonly findings: readonly string[]
}

/**
 * Stores the result of a check in the checked database, where the console shows it to operators. A database that rejects
 * writes, such as a standby server, is left as it is.
 */
export const keep = async (
  store: ServiceStore,
  { kind, startedAt, findings }: Checked,
  terminal: Terminal,
): Promise<void> => {
  const milliseconds = Date.now() - startedAt
  const finishedAt = Math.floor(Date.now() / 1000)
  try {
    await CheckResults.put(store, { kind, finishedAt, milliseconds, isComplete: true, findings })
  } catch (error) {
    if (!isFirnError(error) || error.code !== 'STORE_READ_ONLY') throw error
    terminal.note('the result was not stored, because the database is read-only')
  }
}
