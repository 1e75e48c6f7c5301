import type { PGlite } from 'kysely'
import type { Log } from '../Log.ts'
import { StoreError } from '../StoreError.ts'
import type { Driver } from './Driver.ts'
import * as pglite from './pglite.ts'
import * as postgres from './postgres.ts'

/** Where the tables are. */
export interface DriverOptions {
  /** `postgres://…`; without one PGlite runs in this process. */
  readonly url?: string | undefined
  /** PGlite's folder; without one it keeps everything in memory. */
  readonly folder?: string | undefined
  /**
   * Uses PGlite's folder through the process that has it open, where there is one: for reading and administration. Whoever writes
   * blocks needs the folder for itself.
   */
  readonly attach?: boolean | undefined
  /** A PGlite to use in place of a new one. Closing the store closes it. */
  readonly pglite?: PGlite | undefined
  /** Most connections to PostgreSQL at a time; 10. */
  readonly connections?: number | undefined
  /**
   * The longest that a statement may take on PostgreSQL, in milliseconds; without one there is no bound. Neither a writer's
   * transactions nor migrations are bound by it. PGlite, which shares our process, knows no bound.
   */
  readonly statementTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,39}$/
const CONNECTIONS = 10

/**
 * Opens the database that options name; statements find their tables in `schema`.
 * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`, `STORE_IN_USE`
 */
export async function openDriver(options: DriverOptions, schema: string): Promise<Driver> {
  const { url, folder, attach, pglite: started, connections = CONNECTIONS, statementTimeoutMs, log } = options
  if (!SCHEMA.test(schema)) {
    const message = `expected a schema's name of small letters, digits and _, got ${schema}`
    throw new StoreError('STORE_SCHEMA', message, { details: { schema } })
  }
  return url === undefined
    ? pglite.open({ folder, pglite: started, attach }, schema)
    : postgres.open(url, schema, { connections, statementTimeoutMs, log })
}
