import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Driver, Session } from './Driver.ts'
import { CopyIn } from './internal/CopyIn.ts'
import { guard, guarded } from './internal/failures.ts'
import { Notifications } from './internal/Notifications.ts'
import { PARSERS } from './internal/parsers.ts'
import { preparing } from './internal/preparing.ts'
import { published } from './internal/published.ts'
import { toParameter } from './internal/toParameter.ts'
import { createTurns } from './internal/turns.ts'
import type { Log } from './Log.ts'

/** Options of {@link PostgresServer}. */
export interface PostgresServerOptions {
  /**
   * Maximum number of connections for statements; 10 by default. One or two short statements at a time and the
   * notifications have their own connections.
   */
  readonly connections?: number | undefined
  /**
   * Timeout of a statement, in milliseconds; none by default. It applies neither to a writer's transactions nor to
   * migrations.
   */
  readonly statementTimeoutMs?: number | undefined
  /** Time in milliseconds to wait for a free connection or for a new one; 10,000 by default. */
  readonly connectTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}

const CONNECTIONS = 10
const CONNECT_TIMEOUT = 10_000

/** Settings in case that a server disappears silently. Without them, callers would wait forever. */
const PATIENCE = {
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/**
 * Options of the connections for single short statements. Their timeouts are short, so that callers can retry in
 * time.
 */
const CONTROL = { max: 2, connectionTimeoutMillis: 3_000, query_timeout: 3_000 }
const CONTROL_BOUNDS = ['set statement_timeout to 2500', 'set lock_timeout to 1000']

/**
 * Keeps the server from compiling statements, as it does by default if it expects that they read many rows. It does not
 * know that our statements end after a page, and compiling takes up to a second, which is longer than running them.
 */
const WITHOUT_JIT = 'set jit to off'

/** Makes Citus apply the settings of a database transaction on its workers too. Other servers ignore it. */
const PROPAGATION = `set citus.propagate_set_commands to 'local'`

/**
 * The connections of this process to a PostgreSQL server. Any number of stores can share them, so that the number of
 * connections doesn't grow with the number of chains. A store that is opened with a URL has its own.
 *
 * @example
 * ```ts
 * import { openDriver, PostgresServer } from '@firn/sql'
 *
 * const server = new PostgresServer('postgres://localhost/firn', { connections: 20 })
 * const drivers = await Promise.all(['evm_43113', 'evm_43114'].map((schema) => openDriver({ server }, schema)))
 * // …
 * await Promise.all(drivers.map((driver) => driver.close()))
 * await server.close()
 * ```
 */
export class PostgresServer {
  readonly #pool: pg.Pool
  readonly #control: pg.Pool
  readonly #notifications: Notifications
  /** Names of the prepared statements, by their texts. */
  readonly #names = new Map<string, string>()
  /** The schema in which a connection finds its tables. */
  readonly #schemas = new WeakMap<pg.PoolClient, string>()

  /** Connections are opened when they are needed. */
  constructor(url: string, options: PostgresServerOptions = {}) {
    const { connections = CONNECTIONS, statementTimeoutMs, connectTimeoutMs = CONNECT_TIMEOUT, log } = options
    const bound =
      statementTimeoutMs === undefined ? [] : [`set statement_timeout to ${Math.ceil(statementTimeoutMs)}`]
    const size = { max: connections, connectionTimeoutMillis: connectTimeoutMs }
    this.#pool = createPool(url, [PROPAGATION, WITHOUT_JIT, ...bound], size, log)
    this.#control = createPool(url, CONTROL_BOUNDS, CONTROL, log)
    this.#notifications = new Notifications({ connectionString: url, ...PATIENCE })
  }

  /** Returns a driver whose statements find their tables in a schema. Closing it leaves the connections open. */
  driver(schema: string): Driver {
    const connect = (pool: pg.Pool) => this.#connect(pool, schema)
    const removals: (() => void)[] = []
    return {
      dialect: guarded(new PostgresDialect({ pool: preparing(() => connect(this.#pool), this.#names) })),
      isShared: true,
      transaction: (work) =>
        guard(
          this.#pool.connect().then((client) => {
            const entry = {
              statements: this.#enter(client, schema),
              onRollback: () => this.#schemas.delete(client),
            }
            return transaction(client, entry, work)
          }),
        ),
      control: (text, values = []) =>
        guard(
          connect(this.#control).then((client) =>
            releasing(client, async () => (await client.query(text, [...values])).rows),
          ),
        ),
      listen: (channel, listener) => void removals.push(this.#notifications.listen(channel, listener)),
      async close() {
        for (const remove of removals) remove()
      },
    }
  }

  /** Closes all connections, each after its current statement or transaction. */
  async close(): Promise<void> {
    this.#notifications.close()
    await Promise.all([this.#control.end(), this.#pool.end()])
  }

  async #connect(pool: pg.Pool, schema: string): Promise<pg.PoolClient> {
    const client = await pool.connect()
    const [statement] = this.#enter(client, schema)
    if (statement === undefined) return client
    try {
      await client.query(statement)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Returns the statements after which a connection finds the tables of a schema. If they fail, it must be closed. */
  #enter(client: pg.PoolClient, schema: string): readonly string[] {
    if (this.#schemas.get(client) === schema) return []
    this.#schemas.set(client, schema)
    return [`set search_path to ${schema}`]
  }
}

function createPool(
  url: string,
  settings: readonly string[],
  options: pg.PoolConfig,
  log: Log | undefined,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...PATIENCE,
    ...options,
    types: { getTypeParser },
    onConnect: (client) => client.query(settings.join('; ')),
  })
  // An unhandled error of a checked-out connection would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text')
}

/** Runs work on a connection and releases it. After an error, its state is unknown, so it is closed. */
async function releasing<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

const BEGIN = ['begin', 'set local statement_timeout to 0', 'set local plan_cache_mode to auto']

/** How a transaction finds the tables of its schema. */
interface Entry {
  /** Statements that are sent together with the begin of the transaction, which saves a round trip. */
  readonly statements: readonly string[]
  /** Called if the server has rolled the transaction back, and these statements with it. */
  readonly onRollback: () => void
}

/** Runs a transaction, and releases the connection. Closing it after an error rolls the transaction back. */
function transaction<T>(
  client: pg.PoolClient,
  entry: Entry,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return releasing(client, async () => {
    await client.query([...entry.statements, ...BEGIN].join('; '))
    const result = await work(sessionOf(client))
    const { command } = await client.query('commit')
    // After an error of a statement that the work has caught, the server rolls back instead of committing.
    if (command !== 'COMMIT') entry.onRollback()
    return result
  })
}

function sessionOf(client: pg.PoolClient): Session {
  const inTurn = createTurns()
  return {
    query: (text, values = []) =>
      inTurn(() =>
        published(
          text,
          async () => (await client.query(text, values.map(toParameter))).rows,
          ({ length }) => length,
        ),
      ),
    copy: (target, rows) => {
      const text = `copy ${target} from stdin (format binary)`
      return inTurn(() =>
        published(
          text,
          () => client.query(new CopyIn(text, rows)).done,
          () => 0,
        ),
      )
    },
  }
}
