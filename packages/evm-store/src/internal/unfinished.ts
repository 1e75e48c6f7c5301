import { setTimeout } from 'node:timers/promises'
import { StoreError } from '@firn/sql'

/** Runs a statement. */
type Query = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Milliseconds between two checks, and until the caller has to try again later. */
const PAUSE_MS = 20
const MOST_MS = 1_000

/**
 * Waits until the workers of a Citus cluster have committed their parts of all transactions that the coordinator has
 * committed. It commits first, so until then readers find its new height, but not all rows of the block. Usually this
 * takes milliseconds. A worker that crashes in between commits its part up to a minute after its restart.
 * @throws StoreError `STORE_UNAVAILABLE` if a worker cannot be reached, or has not committed after a second
 */
export async function untilFinished(query: Query): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    if ((await query(UNFINISHED)).length === 0) return
    if (waited >= MOST_MS)
      throw unavailable(
        'a worker of the Citus cluster has not committed its part of a transaction yet; retry in a minute',
      )
    await setTimeout(PAUSE_MS)
  }
}

function unavailable(message: string): StoreError {
  return new StoreError('STORE_UNAVAILABLE', message)
}

/**
 * Selects the parts that are prepared on the workers with shards of a kind. In a `from` clause, Citus would call the
 * function on the coordinator.
 */
const partsOf = (shards: string) => `select (pg_prepared_xact()).gid from ${shards}`

/**
 * Selects the parts that are prepared on workers although the coordinator has committed their transactions. The rows of
 * the coordinator are those before the workers respond, so later transactions do not count.
 */
const UNFINISHED = `with part as materialized (${partsOf('height_shard')}),
  other as materialized (${partsOf('address_shard')})
  select from pg_dist_transaction where gid in (select gid from part union all select gid from other) limit 1`
