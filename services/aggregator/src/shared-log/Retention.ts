import type { Clock } from '@firn/runtime'
import { CLEAN } from './Claims.ts'
import type { Database } from './Database.ts'

/** Options of {@link startRetention}. */
export interface RetentionDependencies {
  readonly database: Database
  readonly clock: Clock
  /** Age in milliseconds at which messages are deleted. */
  readonly retentionMs: number
}

/** Milliseconds between two rounds of deletions. */
const ROUND_MS = 10_000
/** Maximum number of messages in one statement. Their signatures, up to thousands for each, are deleted with them. */
const BATCH = 20

/** Messages that another aggregator is deleting are skipped. */
const EXPIRE = `delete from firn_aggregator.message m using (
    select message_id from firn_aggregator.message
    where stored_at < clock_timestamp() - $1::float8 * interval '1 millisecond'
    order by stored_at limit ${BATCH} for update skip locked
  ) old where m.message_id = old.message_id returning m.message_id`

/** Deletes messages that are older than the retention, and ended claims. */
export async function deleteExpired({
  database,
  retentionMs,
}: Pick<RetentionDependencies, 'database' | 'retentionMs'>): Promise<void> {
  for (;;) {
    const gone = await database.run(EXPIRE, [retentionMs])
    if (gone.length < BATCH) break
  }
  await database.run(CLEAN)
}

/** Deletes what has expired, again and again. Returns a function that stops it. */
export function startRetention(dependencies: RetentionDependencies): () => void {
  const { database, clock } = dependencies
  const stop = new AbortController()
  const run = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(ROUND_MS, stop.signal).catch(() => undefined)
      // A failure is reported by the database; the next round tries again.
      if (!stop.signal.aborted && database.isUp) await deleteExpired(dependencies).catch(() => undefined)
    }
  }
  void run()
  return () => stop.abort()
}
