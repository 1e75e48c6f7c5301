import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Query, Server } from './Server.ts'

/** Maximum number of connections for statements. One more connection listens for notifications. */
const CONNECTIONS = 4
/** Fraction of a statement's time after which the server ends it. */
const SERVER_SHARE = 0.8
/** Delay before the listener reconnects, in milliseconds. */
const RECONNECT_MS = 1_000

/**
 * Returns the settings of a connection whose statements end within `ms` milliseconds. The server ends them a little
 * earlier, so that its error arrives in time. The client's limit is longer; it closes a connection whose server no
 * longer responds.
 */
const within = (ms: number) => ({
  connectionTimeoutMillis: ms,
  statement_timeout: Math.ceil(SERVER_SHARE * ms),
  query_timeout: ms + 500,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})

/** Connections without a time limit for their statements. */
const UNLIMITED = { connectionTimeoutMillis: 5_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Returns a server that is connected through a small pool. Connections are opened when they are needed, and statements
 * end after `limitMs` milliseconds.
 */
export function connect(url: string, limitMs: number): Server {
  const common = { connectionString: url, application_name: 'firn-aggregator' }
  const pool = new pg.Pool({ ...common, ...within(limitMs), max: CONNECTIONS, allowExitOnIdle: true })
  // The next statement finds out that a connection was lost.
  pool.on('error', () => undefined)
  const stop = new AbortController()
  return {
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    transaction: (work) => transaction(new pg.Client({ ...common, ...UNLIMITED }), work),
    listen: (channel, listener) =>
      void listen(() => new pg.Client({ ...common, ...UNLIMITED }), channel, listener, stop.signal),
    close: async () => {
      stop.abort()
      await pool.end()
    },
  }
}

async function transaction(client: pg.Client, work: (query: Query) => Promise<void>): Promise<void> {
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    await work(async (text, values = []) => (await client.query(text, [...values])).rows)
    await client.query('commit')
  } finally {
    // Closing the connection rolls an open transaction back.
    await client.end().catch(() => undefined)
  }
}

/** Listens on a dedicated connection until `signal` aborts, and reconnects whenever the connection is lost. */
async function listen(
  create: () => pg.Client,
  channel: string,
  listener: () => void,
  signal: AbortSignal,
): Promise<void> {
  let end = () => {}
  // One listener for all connections, because there can be many of them during a long outage.
  signal.addEventListener('abort', () => end(), { once: true })
  while (!signal.aborted) {
    const client = create()
    const lost = new Promise<void>((resolve) => {
      end = resolve
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', listener)
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      await lost
    } catch {
      // While nothing is heard, the claims are polled.
    } finally {
      await client.end().catch(() => undefined)
    }
    await setTimeout(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
