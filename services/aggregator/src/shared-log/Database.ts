import type { Clock, Logger } from '@firn/runtime'
import { Counter, Gauge, type Registry } from 'prom-client'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { abortable } from '../internal/flights.ts'
import type { Row, Server } from './Server.ts'
import { migrate } from './Tables.ts'

/** Time limits of statements, in milliseconds. */
export interface Limits {
  /** Limit of a statement for which a request for signatures waits. */
  readonly promptMs: number
  /** Limit of all other statements. */
  readonly patientMs: number
}

/** Time limit for the creation of the tables, in milliseconds. */
const MIGRATE_MS = 60_000
/** Delay before the database is tried again after a failure, in milliseconds. */
const RETRY_MS = 500

/**
 * The database of the fleet, which may be unavailable at any time. Nothing waits for it longer than the time limit of
 * one statement: after a failure, all statements fail at once until a check in the background succeeds.
 */
export interface Database {
  /**
   * Runs a statement and returns its rows. A statement that the server rejects, or a patient one that it cancels, does
   * not make the database unavailable for others.
   * @throws AggregatorError `AGGREGATOR_DATABASE` if the database is unavailable, slow, or rejects the statement
   */
  run(text: string, values?: readonly unknown[], limit?: keyof Limits): Promise<readonly Row[]>
  readonly isUp: boolean
  /** The reason why the database is unavailable; undefined while it is available. */
  readonly problem: string | undefined
  /** Calls `listener` whenever the database becomes available or unavailable. */
  onChange(listener: () => void): void
  /** Resolves when the database has been tried for the first time. */
  readonly tried: Promise<void>
  close(): Promise<void>
}

/** Options of {@link createDatabase}. */
export interface DatabaseDependencies {
  readonly server: Server
  readonly clock: Clock
  readonly log: Logger
  readonly register: Registry
  readonly limits: Limits
}

/** Starts to connect to a database and to create its tables, and returns without waiting for either. */
export function createDatabase({ server, clock, log, register, limits }: DatabaseDependencies): Database {
  const metrics = createMetrics(register)
  const listeners: (() => void)[] = []
  const stop = new AbortController()
  let problem: string | undefined = 'not connected yet'
  let isMigrated = false

  const change = (next: string | undefined) => {
    if ((problem === undefined) === (next === undefined)) return
    problem = next
    metrics.up.set(next === undefined ? 1 : 0)
    if (next === undefined) log.info({}, 'message log: database available')
    else log.warn({ reason: next }, 'message log: database unavailable, aggregation goes on without it')
    for (const listener of listeners) listener()
  }
  const check = async () => {
    if (!isMigrated) await withLimit(server.transaction(migrate), clock, MIGRATE_MS)
    isMigrated = true
    await withLimit(server.query('select 1'), clock, limits.patientMs)
    change(undefined)
  }
  /** Checks until the database is available. */
  const recover = async () => {
    while (!stop.signal.aborted && problem !== undefined) {
      await clock.sleep(RETRY_MS, stop.signal).catch(() => undefined)
      if (!stop.signal.aborted) await check().catch(metrics.failed)
    }
  }
  const fail = (error: unknown) => {
    const wasUp = problem === undefined
    change((error as Error).message)
    if (wasUp) void recover()
  }
  const first = check().catch((error: unknown) => {
    metrics.failed()
    log.warn(
      { reason: (error as Error).message },
      'message log: database unavailable, aggregation goes on without it',
    )
    problem = (error as Error).message
    void recover()
  })
  return {
    run: async (text, values = [], limit = 'patientMs') => {
      if (problem !== undefined) throw unavailable(problem)
      try {
        return await withLimit(server.query(text, values), clock, limits[limit])
      } catch (error) {
        metrics.failed()
        // The database was replaced by an empty one.
        if ((error as { code?: unknown }).code === UNDEFINED_TABLE) isMigrated = false
        if (!isRejected(error) && !(limit === 'patientMs' && isCancelled(error))) fail(error)
        throw unavailable((error as Error).message, error)
      }
    },
    get isUp() {
      return problem === undefined
    },
    get problem() {
      return problem
    },
    onChange: (listener) => void listeners.push(listener),
    tried: first,
    close: async () => {
      stop.abort()
      await server.close()
    },
  }
}

/**
 * Returns whether the server rejected the data or the form of a statement, so that the same statement would fail again.
 */
export function isRejected(error: unknown): boolean {
  return /^2[12]/.test(sqlState(error))
}

/** Returns whether the server ended a statement because it took too long. Others can be faster. */
function isCancelled(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** Returns the SQLSTATE of a server's error, or the empty string. */
function sqlState(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.length === 5 ? code : ''
}

/**
 * Returns the JSON of a value for a `jsonb` parameter. PostgreSQL rejects zero characters and unpaired surrogates, which
 * the error texts of nodes can contain, so they are replaced with U+FFFD.
 */
export function toJsonb(value: unknown): string {
  const json = JSON.stringify(value)
  return /\\u(?:0000|d[89a-f])/.test(json) ? JSON.stringify(value, clean) : json
}

function clean(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
}

async function withLimit<T>(promise: Promise<T>, clock: Clock, ms: number): Promise<T> {
  const done = new AbortController()
  const limit = new AbortController()
  clock.sleep(ms, done.signal).then(
    () => limit.abort(new Error(`no response within ${ms} ms`)),
    () => undefined,
  )
  try {
    return await abortable(promise, limit.signal)
  } finally {
    done.abort()
  }
}

const UNDEFINED_TABLE = '42P01'

/** Returns the error for callers. It does not contain the address of the database, which the log has. */
function unavailable(reason: string, cause?: unknown): AggregatorError {
  const [brief] = /^(?:connect|getaddrinfo) [A-Z_]+/.exec(reason) ?? [reason]
  return new AggregatorError('AGGREGATOR_DATABASE', `the message log's database is unavailable: ${brief}`, {
    details: { headers: { 'retry-after': '1' } },
    cause,
  })
}

function createMetrics(register: Registry) {
  const registers = [register]
  const up = new Gauge({
    name: 'signature_aggregator_database_up',
    help: 'Whether the database of the message log is available (1) or not (0)',
    registers,
  })
  const failures = new Counter({
    name: 'signature_aggregator_database_failures_total',
    help: 'Number of statements and connection attempts that failed or took too long',
    registers,
  })
  return { up, failed: () => failures.inc() }
}
