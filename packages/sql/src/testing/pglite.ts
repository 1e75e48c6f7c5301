import type { PGlite } from '@electric-sql/pglite'
import type { PGlite as Database } from 'kysely'
import { start } from '../internal/pglite.ts'
import { emptyCluster } from './emptyCluster.ts'

const idle: PGlite[] = []

/**
 * Returns an empty PGlite database in memory. When it is closed, it is emptied and reused, because starting a
 * database takes a second of CPU time and its first statements are slow. For tests only.
 */
export async function borrowPGlite(): Promise<Database> {
  const database = idle.pop() ?? (await start(undefined, await emptyCluster()))
  let closed = false
  const unlessClosed = <T>(work: () => Promise<T>) =>
    closed ? Promise.reject(new Error('the PGlite database of this test is closed')) : work()
  return {
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return closed
    },
    query: (text, values, options) => unlessClosed(() => database.query(text, values, options)),
    transaction: (work) => unlessClosed(() => database.transaction(work)),
    async close() {
      closed = true
      await empty(database).then(
        () => idle.push(database),
        () => database.close(),
      )
    },
  }
}

/** Drops everything that tests created and resets the session. */
async function empty(database: PGlite): Promise<void> {
  await database.exec(`do $$ declare name text; begin
    for name in select nspname from pg_namespace where nspname not like 'pg_%' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', name);
    end loop; end $$; create schema public`)
  await database.query('discard all')
}
