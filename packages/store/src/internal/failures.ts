import { isFirnError } from '@firn/codec'
import type { Dialect } from 'kysely'
import { StoreError } from '../StoreError.ts'

/**
 * Classes of SQLSTATE that blame the server instead of the statement: connection, resources, operator,
 * system; or a rollback in favour of another transaction, such as a deadlock.
 */
const UNAVAILABLE = ['08', '40', '53', '57', '58', 'XX']
/** The SQLSTATE of a statement cancelled because it took too long. */
const CANCELED = '57014'
/** The SQLSTATE of a write on a standby or in a read-only transaction. */
const READ_ONLY = '25006'
const SQLSTATE = /^[0-9A-Z]{5}$/
/** The drivers' messages, without a code, for a lost connection. */
const GONE = /terminated|not queryable|closed|ended|after calling end|timeout|destroyed|discarded/i

/** Returns the StoreError for a driver's error. */
export function wrap(cause: unknown): unknown {
  if (!(cause instanceof Error) || isFirnError(cause) || cause.name === 'AbortError') return cause
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  if (code === CANCELED) {
    return new StoreError('STORE_TIMEOUT', `a statement took too long: ${cause.message}`, {
      cause,
      details: { sqlState: code },
    })
  }
  if (code === READ_ONLY) {
    const message = `the database takes no writes, as a standby or a read-only role does; use the primary server to write (${cause.message})`
    return new StoreError('STORE_READ_ONLY', message, { cause, details: { sqlState: code } })
  }
  // A socket's EPIPE also looks like an SQLSTATE.
  const isState = code !== undefined && !('syscall' in cause) && SQLSTATE.test(code)
  if (isState && !UNAVAILABLE.includes(code.slice(0, 2))) {
    return new StoreError('STORE_QUERY', `the database refused a statement: ${cause.message}`, {
      cause,
      details: { sqlState: code },
    })
  }
  const isLost = isState || (code !== undefined && 'syscall' in cause) || GONE.test(cause.message)
  if (!isLost && code === undefined) return cause
  return new StoreError('STORE_UNAVAILABLE', `the database is not available: ${cause.message}`, {
    cause,
    details: code === undefined ? {} : { sqlState: code },
  })
}

/** Returns the result of `work`, wrapping its errors. */
export async function guard<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw wrap(error)
  }
}

/** Returns the same dialect, but its queries fail with a StoreError. */
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
          // Patched in place: kysely's drivers identify their connections by private members.
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = (query, context) => guard(execute(query, context))
        }
        return connection
      }
      return driver
    },
  }
}
