import { type Session, StoreError } from '@firn/sql'

/** @throws StoreError `STORE_CITUS` if the server has no Citus */
export async function assertCitus(session: Session): Promise<void> {
  const found = await session.query(`select from pg_extension where extname = 'citus'`)
  if (found.length > 0) return
  const message =
    'the database has no extension citus; run `create extension citus` on all servers of a Citus cluster, and connect to its coordinator'
  throw new StoreError('STORE_CITUS', message)
}

/** Returns whether Citus keeps the schema of the session on one worker. */
export async function isOnOneWorker(session: Session): Promise<boolean> {
  const found = await session.query(
    'select from pg_dist_schema where schemaid = current_schema()::regnamespace',
  )
  return found.length > 0
}
