import { isFirnError } from '@firn/codec'
import type { Dialect } from 'kysely'
import { StoreError } from '../StoreError.ts'

/**
 * Classes of SQLSTATE by which a server tells that it, and not the statement, is at fault: connection, resources, operator, system;
 * or that it rolled a transaction back for another one, such as a deadlock.
 */
const UNAVAILABLE = ['08', '40', '53', '57', '58', 'XX']
/** What a statement ends with that took longer than it may. */
const CANCELED = '57014'
/** What a standby answers to a write, and any server to one in a read-only transaction. */
const READ_ONLY = '25006'
const SQLSTATE = /^[0-9A-Z]{5}$/
/** What the drivers say, without a code, of a connection that is gone. */
const GONE = /terminated|not queryable|closed|ended|after calling end|timeout|destroyed|discarded/i

/** The StoreError that an error of a driver stands for. */
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
  // EPIPE, of a socket, has the form of a state too.
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

/** What `work` gives, its errors wrapped. */
export async function guard<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw wrap(error)
  }
}

/** The same dialect, whose queries fail with a StoreError. */
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
          // In place: kysely's drivers know their connections by private members.
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = (query, context) => guard(execute(query, context))
        }
        return connection
      }
      return driver
    },
  }
}
