import { setTimeout } from 'node:timers/promises'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../Log.ts'
import { CopyIn } from './CopyIn.ts'
import type { Driver, Session } from './Driver.ts'
import { guard, guarded, READ_ONLY } from './failures.ts'
import { PARSERS } from './parsers.ts'
import { preparing } from './prepared.ts'

/** Delay before a listener reconnects, in milliseconds. */
const RETRY = 1000

/**
 * Timeouts in milliseconds for a server that disappears silently. Without them, callers would wait forever.
 */
const PATIENCE = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/**
 * Options of the connection for single short statements. Its timeouts are short, so that callers can retry in
 * time.
 */
const CONTROL = { max: 1, connectionTimeoutMillis: 3_000, query_timeout: 3_000 }
const CONTROL_BOUNDS = ['set statement_timeout to 2500', 'set lock_timeout to 1000']

/** Makes Citus apply the settings of a database transaction on its workers too. Other servers ignore it. */
const PROPAGATION = `set citus.propagate_set_commands to 'local'`

/** The connection settings of a server. */
export interface Reach {
  /** Maximum number of connections. */
  readonly connections: number
  /** Timeout of a statement outside of {@link Driver.transaction}, in milliseconds. */
  readonly statementTimeoutMs: number | undefined
  readonly log: Log | undefined
}

/** Connects to a server through a pool of connections. */
export function open(url: string, schema: string, { connections, statementTimeoutMs, log }: Reach): Driver {
  const bound =
    statementTimeoutMs === undefined ? [] : [`set statement_timeout to ${Math.ceil(statementTimeoutMs)}`]
  const settings = [`set search_path to ${schema}`, PROPAGATION, ...bound]
  const pool = createPool(url, settings, { max: connections }, log)
  const control = createPool(url, [`set search_path to ${schema}`, ...CONTROL_BOUNDS], CONTROL, log)
  const listeners = new AbortController()
  return {
    dialect: guarded(new PostgresDialect({ pool: preparing(pool) })),
    isShared: true,
    transaction: (work) => guard(transaction(pool, work)),
    control: (text, values = []) => guard(control.query(text, [...values]).then(({ rows }) => rows)),
    listen: (channel, listener) => void listen(url, channel, listener, listeners.signal),
    async close() {
      listeners.abort()
      await control.end()
    },
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

async function transaction<T>(pool: pg.Pool, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // Without a listener, losing a connection between two statements would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  let failure: unknown
  try {
    await client.query('begin; set local statement_timeout to 0')
    const result = await work(sessionOf(client))
    await client.query('commit')
    return result
  } catch (error) {
    failure = error
    throw error
  } finally {
    client.off('error', ignore)
    // After an error, the state of the connection is unknown. Closing it rolls the transaction back.
    client.release(failure !== undefined)
  }
}

function sessionOf(client: pg.PoolClient): Session {
  return {
    async query(text, values = []) {
      return (await client.query(text, [...values])).rows
    },
    copy: (target, rows) => client.query(new CopyIn(`copy ${target} from stdin (format binary)`, rows)).done,
  }
}

/**
 * Listens on a dedicated connection until `signal` is aborted, and reconnects whenever the connection is
 * lost.
 */
async function listen(
  url: string,
  channel: string,
  listener: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, ...PATIENCE })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', () => listener())
    try {
      await client.connect()
      while (!signal.aborted && !(await listens(client, channel))) {
        // A standby server sends no notifications, so the readers look for changes in intervals.
        listener()
        await Promise.race([lost, setTimeout(RETRY, undefined, { signal })])
      }
      listener()
      await lost
    } catch {
      // Until the connection is back, snapshots expire only by age.
    } finally {
      await client.end().catch(() => undefined)
    }
    await setTimeout(RETRY, undefined, { signal }).catch(() => undefined)
  }
}

/** Starts to listen for notifications. Returns false on a standby server, which rejects it. */
async function listens(client: pg.Client, channel: string): Promise<boolean> {
  try {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return true
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === READ_ONLY) return false
    throw error
  }
}
