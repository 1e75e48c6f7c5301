import { isFirnError } from '@firn/codec'
import type { Dialect } from 'kysely'
import { StoreError } from '../StoreError.ts'
import { published } from './published.ts'

/**
 * SQLSTATE classes of errors that the server causes, not the statement: lost connections (08), rejected passwords (28),
 * a missing database (3D), rollbacks in favour of another transaction, for example after a deadlock (40), insufficient
 * resources (53), locked or unready objects (55), interventions of an operator (57), system errors (58), snapshots that
 * are too old (72), faulty configuration (F0) and internal errors (XX).
 */
const UNAVAILABLE = ['08', '28', '3D', '40', '53', '55', '57', '58', '72', 'F0', 'XX']
/** SQLSTATE of transactions that the server ended because they were idle or took too long. Others of their class are ours. */
const ENDED = ['25P03', '25P04']
/** SQLSTATE of a statement that was cancelled because it took too long. */
const CANCELED = '57014'
/** SQLSTATE of a write that found no space on the disk. */
const DISK_FULL = '53100'
/** SQLSTATE of a write on a standby or in a read-only transaction. */
export const READ_ONLY = '25006'
/** Matches the SQLSTATEs of all classes, and no code of a socket's error, such as EPIPE. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/
/**
 * Matches the messages of the drivers' errors, which have no code, for a lost connection, or one to a server that does not
 * answer as PostgreSQL does.
 */
const GONE =
  /terminated|not queryable|closed|ended|after calling end|timeout|destroyed|discarded|SSL connection|SASL|invalid response|from backend/i

/** Returns the StoreError for an error of a driver. Other errors are returned unchanged. */
export function wrap(cause: unknown): unknown {
  if (!(cause instanceof Error) || isFirnError(cause) || cause.name === 'AbortError') return cause
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  if (code === CANCELED) {
    return new StoreError(
      'STORE_TIMEOUT',
      `the statement took longer than the statement timeout: ${cause.message}`,
      {
        cause,
        details: { sqlState: code },
      },
    )
  }
  if (code === READ_ONLY) {
    const message = `the database is read-only (a standby server or a read-only role); connect to the primary server to write (${cause.message})`
    return new StoreError('STORE_READ_ONLY', message, { cause, details: { sqlState: code } })
  }
  const isState = code !== undefined && SQLSTATE.test(code)
  if (isState && !UNAVAILABLE.includes(code.slice(0, 2)) && !ENDED.includes(code)) {
    return new StoreError('STORE_QUERY', `the database rejected a statement: ${cause.message}`, {
      cause,
      details: { sqlState: code },
    })
  }
  return code === undefined && !GONE.test(cause.message) ? cause : unavailable(cause, code)
}

function unavailable(cause: Error, code: string | undefined): StoreError {
  const message =
    code === DISK_FULL
      ? `the disk of the database is full: make space, and writing goes on (${cause.message})`
      : `the database is not available: ${cause.message}`
  return new StoreError('STORE_UNAVAILABLE', message, {
    cause,
    details: code === undefined ? {} : { sqlState: code },
  })
}

/** Returns the result of `work`. Driver errors are converted to StoreErrors. */
export async function guard<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw wrap(error)
  }
}

/** Returns the same dialect, except that its queries fail with a StoreError. */
export function guarded(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver() {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      const seen = new WeakSet<object>()
      driver.acquireConnection = async (options) => {
        const connection = await guard(acquire(options))
        if (!seen.has(connection)) {
          seen.add(connection)
          // The connection is patched in place, because kysely's drivers identify connections by private
          // members.
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = (query, context) =>
            guard(
              published(
                query.sql,
                () => execute(query, context),
                ({ rows }) => rows.length,
              ),
            )
        }
        return connection
      }
      return driver
    },
  }
}
