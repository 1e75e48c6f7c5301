import { setTimeout } from 'node:timers/promises'
import { isFirnError } from '@firn/codec'
import { assertFence } from './assertFence.ts'
import type { Driver, Session } from './Driver.ts'
import { StoreError } from './StoreError.ts'

/** A store that has a write lease: the store of a network or of an EVM chain. */
export interface LeasedStore {
  readonly driver: Driver
}

/** Options of {@link Lease.take}. */
export interface LeaseOptions {
  /**
   * Name of the holder in the database and in logs. It must be unique, because two holders with the same name
   * would both believe that they hold the lease.
   */
  readonly holder: string
  /** Time in milliseconds after which a lease that is not renewed becomes free; 5,000 by default. */
  readonly termMs?: number | undefined
  /** Time in milliseconds between two renewals; 1,500 by default. */
  readonly renewMs?: number | undefined
}

/** The current holder of a lease. */
export interface LeaseHolder {
  readonly holder: string
  /** Time at which the lease becomes free unless it is renewed, by the database's clock, in ISO 8601. */
  readonly expiresAt: string
}

const TERM = 5_000
const RENEW = 1_500
/** The SQLSTATEs of a statement that timed out waiting for a lock. Citus doesn't apply the time-out of locks on workers. */
const LOCKED = ['55P03', '57014']

/** Embedded databases in which this process holds a lease. */
const held = new WeakSet<Driver>()

/**
 * The exclusive right to write to a schema. It is a row in the database that names the holder. The row
 * expires, by the database's clock, unless the holder renews it. Taking the lease raises the schema's fence.
 * Every commit checks the fence, so a holder that was suspended and resumes late can't write. The lease is
 * renewed on a dedicated connection, so neither long commits nor busy readers delay the renewal.
 *
 * @example
 * ```ts
 * import { Lease, type LeasedStore } from '@firn/sql'
 *
 * declare const store: LeasedStore
 * const lease = await Lease.take(store, { holder: 'indexer-1' })
 * if (lease === undefined) console.log('standing by for', await Lease.holderOf(store))
 * else {
 *   // Write, until `lease.lost` is aborted.
 *   await lease.release()
 * }
 * ```
 */
export class Lease {
  readonly holder: string
  /** The fence that each commit compares with the fence in the database. */
  readonly fence: bigint
  readonly #driver: Driver
  readonly #lost = new AbortController()
  readonly #stop = new AbortController()
  readonly #renewing: Promise<void>

  private constructor(driver: Driver, fence: bigint, { holder, ...times }: LeaseOptions) {
    this.holder = holder
    this.fence = fence
    this.#driver = driver
    this.#renewing = this.#renew(times.termMs ?? TERM, times.renewMs ?? RENEW)
  }

  /**
   * Takes the lease of a schema and renews it until {@link release} is called. Returns undefined while
   * another process holds the lease.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  static async take({ driver }: LeasedStore, options: LeaseOptions): Promise<Lease | undefined> {
    const { holder, termMs = TERM } = options
    // Only one process can open an embedded database, so a lease taken by an earlier process is outdated.
    const isOutdated = !driver.isShared && !held.has(driver)
    const [found] = await driver.control(LOOK)
    if (found?.['is_free'] !== true && !isOutdated) return undefined
    if (driver.isShared && found?.['holder'] !== null) await evict(driver)
    const fence = await takeRow(driver, holder, termMs, isOutdated)
    if (fence === undefined) return undefined
    held.add(driver)
    return new Lease(driver, fence, options)
  }

  /**
   * Returns the holder of a schema's lease, or undefined if the lease is free.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  static async holderOf({ driver }: LeasedStore): Promise<LeaseHolder | undefined> {
    const [found] = await driver.control(LOOK)
    if (found === undefined || found['is_free'] === true) return undefined
    return { holder: String(found['holder']), expiresAt: String(found['expires']) }
  }

  /**
   * A signal that is aborted with a StoreError `STORE_FENCED` when a renewal finds that another process has
   * taken the lease.
   */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /**
   * Releases the lease, so that a standby can take it immediately. If the database is unreachable, the lease stays
   * taken until it expires.
   */
  async release(): Promise<void> {
    this.#stop.abort()
    await this.#renewing
    held.delete(this.#driver)
    await this.#driver.control(RELEASE, [this.holder]).catch(ignoreFailure)
  }

  async #renew(termMs: number, renewMs: number): Promise<void> {
    const { signal } = this.#stop
    for (;;) {
      await setTimeout(renewMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      try {
        const rows = await this.#driver.control(RENEWAL, [this.holder, termMs])
        if (rows.length > 0) continue
        held.delete(this.#driver)
        this.#lost.abort(
          new StoreError(
            'STORE_FENCED',
            'another process has taken the write lease of this database, so this process can no longer write',
          ),
        )
        return
      } catch {
        // The next renewal detects whether the lease was lost in the meantime. No error may end the renewals, because
        // nobody would notice.
      }
    }
  }
}

/**
 * Locks a schema's fence until the end of the transaction and returns it. Without a lease, it sets and
 * returns a new fence, which fences off the current holder.
 * @throws StoreError `STORE_FENCED`
 * @example
 * ```ts
 * import { type Driver, type Lease, lockFence } from '@firn/sql'
 *
 * declare const driver: Driver
 * declare const lease: Lease
 * const fence = await driver.transaction((session) => lockFence(session, lease))
 * ```
 */
export async function lockFence(session: Session, lease: Lease | undefined): Promise<bigint> {
  if (lease !== undefined) {
    await assertFence(session, lease.fence)
    return lease.fence
  }
  await session.query('update lease set holder = null, expires_at = null')
  const [row] = await session.query('update writer set fence = fence + 1 returning fence')
  return row?.['fence'] as bigint
}

/**
 * Terminates the transactions of a holder whose lease has expired. A process that is suspended in the middle of a
 * transaction would keep its locks, and the next holder would wait for them forever. Only writers lock rows of the
 * table `writer`, so these locks identify the holder's transactions.
 */
async function evict(driver: Driver): Promise<void> {
  try {
    const expired = await driver.control(EXPIRED)
    if (expired.length > 0) await driver.control(EVICTION)
  } catch (error) {
    // Without the right to terminate the sessions of another role, the caller retries until the sessions end.
    if (!isFirnError(error) || error.code !== 'STORE_QUERY') throw error
  }
}

/**
 * Returns the new fence, or undefined if another process was faster or a transaction of the last holder is
 * still open.
 */
async function takeRow(
  driver: Driver,
  holder: string,
  termMs: number,
  isOutdated: boolean,
): Promise<bigint | undefined> {
  try {
    const [row] = await driver.control(TAKE, [holder, termMs, isOutdated])
    return row?.['fence'] as bigint | undefined
  } catch (error) {
    if (isFirnError(error) && LOCKED.includes(String(error.details['sqlState']))) return undefined
    throw error
  }
}

function ignoreFailure(error: unknown): void {
  if (!isFirnError(error)) throw error
}

/** Citus rejects `clock_timestamp()` in updates. Each of these statements is a separate transaction. */
const IS_FREE = '(expires_at is null or expires_at <= statement_timestamp())'
const EXPIRY = `statement_timestamp() + $2::float8 * interval '1 millisecond'`

const LOOK = `select holder, ${IS_FREE} as is_free,
  to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as expires from lease`

/** The lease is taken by a single statement, so that a process can't be suspended halfway through. */
const TAKE = `with taken as (
    update lease set holder = $1, expires_at = ${EXPIRY} where $3::boolean or ${IS_FREE} returning holder
  ) update writer set fence = fence + 1 where exists (select from taken) returning fence`

const RENEWAL = `update lease set expires_at = ${EXPIRY} where holder = $1 returning holder`

const RELEASE = 'update lease set holder = null, expires_at = null where holder = $1'

const EXPIRED = 'select from lease where expires_at <= statement_timestamp()'

/** The statement reads no table of the schema, so that it also runs on the coordinator of a Citus cluster. */
const EVICTION = `select pg_terminate_backend(pid) from pg_locks
  where relation = 'writer'::regclass and granted and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())
    and mode in ('RowShareLock', 'RowExclusiveLock')`
