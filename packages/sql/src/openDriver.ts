import type { PGlite } from 'kysely'
import type { Driver } from './Driver.ts'
import * as pglite from './internal/pglite.ts'
import type { Log } from './Log.ts'
import { PostgresServer } from './PostgresServer.ts'
import { StoreError } from './StoreError.ts'

/** The location of the tables. */
export interface DriverOptions {
  /** URL of a PostgreSQL database, `postgres://…`. Without a URL, PGlite runs in this process. */
  readonly url?: string | undefined
  /** The connections to a PostgreSQL server, to share them with other stores, instead of `url`. */
  readonly server?: PostgresServer | undefined
  /** PGlite's database folder. Without a folder, all data is in memory. */
  readonly folder?: string | undefined
  /**
   * Whether to use PGlite's folder through the process that has it open, if any. This is for reading and
   * administration; a writer of blocks must have the folder open itself.
   */
  readonly attach?: boolean | undefined
  /** An existing PGlite database to use instead of a new one. Closing the store closes it. */
  readonly pglite?: PGlite | undefined
  /** Maximum number of connections to PostgreSQL; 10 by default. */
  readonly connections?: number | undefined
  /**
   * Timeout of a statement on PostgreSQL, in milliseconds; none by default. It applies neither to a writer's
   * transactions, nor to migrations, nor to PGlite, which runs in this process.
   */
  readonly statementTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,39}$/

/**
 * Opens the database that the options describe. Statements find their tables in `schema`.
 * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`, `STORE_IN_USE`
 * @example
 * ```ts
 * import { openDriver } from '@firn/sql'
 *
 * const driver = await openDriver({ folder: 'data' }, 'places') // or { url: 'postgres://…' }
 * await driver.control('select 1')
 * await driver.close()
 * ```
 */
export async function openDriver(options: DriverOptions, schema: string): Promise<Driver> {
  const { url, server, folder, attach, pglite: started } = options
  if (!SCHEMA.test(schema)) {
    const message = `expected a schema name of at most 40 lowercase letters, digits and underscores that does not start with a digit, got ${JSON.stringify(schema)}`
    throw new StoreError('STORE_SCHEMA', message, { details: { schema } })
  }
  if (server !== undefined) return server.driver(schema)
  return url === undefined
    ? pglite.open({ folder, pglite: started, attach }, schema)
    : openServer(url, schema, options)
}

/** Connects to a server for a single store. */
function openServer(url: string, schema: string, options: DriverOptions): Driver {
  const server = new PostgresServer(url, options)
  const driver = server.driver(schema)
  return {
    ...driver,
    async close() {
      await driver.close()
      await server.close()
    },
  }
}
