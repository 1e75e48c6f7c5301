import { setTimeout } from 'node:timers/promises'
import type { Log } from '@firn/sql'
import type { Batch } from './Batch.ts'
import type { UsageStore } from './UsageStore.ts'

/** Options of {@link UsageWriter}. */
export interface UsageWriterOptions<Request> {
  readonly store: UsageStore
  /** Creates an empty batch of requests. */
  readonly createBatch: () => Batch<Request>
  /** Returns random bytes, which identify this writer. */
  readonly random: (bytes: number) => Uint8Array
  readonly log?: Log | undefined
  /** Interval between two writes in milliseconds; 1,000 by default. */
  readonly intervalMs?: number | undefined
  /**
   * Maximum number of rows that wait to be written; 50,000 by default. Requests that would need more rows are
   * dropped and counted.
   */
  readonly most?: number | undefined
  /** Timeout of the final write when the writer is closed, in milliseconds; 10,000 by default. */
  readonly patienceMs?: number | undefined
}

const INTERVAL = 1000
const MOST = 50_000
const ID_LENGTH = 16
const PATIENCE = 10_000

/** Collects requests and writes them periodically. Collecting never waits for the database. */
export class UsageWriter<Request> {
  readonly #options: UsageWriterOptions<Request>
  readonly #most: number
  readonly #id: Uint8Array
  readonly #timer: NodeJS.Timeout
  #sequence = 0n
  #next: Batch<Request>
  /** The batch that is being written or must be retried. It may already be in the database. */
  #batch: Batch<Request> | undefined
  #writing: Promise<boolean> | undefined
  #dropped = 0
  #isFailing = false

  constructor(options: UsageWriterOptions<Request>) {
    const { random, intervalMs = INTERVAL, most = MOST } = options
    this.#options = options
    this.#next = options.createBatch()
    this.#most = most
    this.#id = random(ID_LENGTH)
    this.#timer = setInterval(() => void this.flush(), intervalMs)
    this.#timer.unref()
  }

  /** Number of requests that were not counted because too many rows were waiting to be written. */
  get dropped(): number {
    return this.#dropped
  }

  /** Number of counted requests that are not yet in the database. */
  get waiting(): number {
    return this.#next.requests + (this.#batch?.requests ?? 0)
  }

  /** Adds a request to those that are written next. */
  record(request: Request): void {
    if (!this.#next.add(request, this.#most)) this.#dropped++
  }

  /**
   * Writes the waiting counts. Returns false if the database fails; the counts are then kept for the next
   * attempt.
   */
  async flush(): Promise<boolean> {
    if (this.#writing !== undefined) return this.#writing
    this.#writing = this.#flush()
    try {
      return await this.#writing
    } finally {
      this.#writing = undefined
    }
  }

  async #flush(): Promise<boolean> {
    try {
      if (this.#batch !== undefined) await this.#write(this.#batch)
      this.#batch = this.#next
      this.#next = this.#options.createBatch()
      this.#sequence++
      if (this.#batch.size > 0) await this.#write(this.#batch)
      this.#batch = undefined
      this.#tell(undefined)
      return true
    } catch (error) {
      this.#tell(error)
      return false
    }
  }

  /**
   * Writes a batch unless it is already stored. After a connection is lost during a commit, it is unknown
   * whether the batch was stored.
   */
  async #write(batch: Batch<Request>): Promise<void> {
    await this.#options.store.driver.transaction(async (session) => {
      const rows = await session.query(
        `insert into usage_writer as w (id, sequence) values ($1, $2) on conflict (id)
          do update set sequence = excluded.sequence where w.sequence < excluded.sequence returning id`,
        [this.#id, String(this.#sequence)],
      )
      if (rows.length > 0) await batch.write(session)
    })
  }

  #tell(error: unknown): void {
    const isFailing = error !== undefined
    if (isFailing === this.#isFailing) return
    this.#isFailing = isFailing
    const facts = { waiting: this.waiting, dropped: this.#dropped }
    if (isFailing)
      this.#options.log?.warn({ ...facts, err: error }, 'cannot write usage statistics; will retry')
    else this.#options.log?.info({ ...facts }, 'writing of usage statistics has recovered')
  }

  /**
   * Writes the waiting counts, if the database accepts them in time, and stops the writer. Returns the number of
   * requests whose counts were lost.
   */
  async close(): Promise<number> {
    clearInterval(this.#timer)
    const done = new AbortController()
    const { patienceMs = PATIENCE } = this.#options
    const patience = setTimeout(patienceMs, undefined, { signal: done.signal }).catch(() => undefined)
    await Promise.race([this.#flushAll(), patience])
    done.abort()
    return this.waiting
  }

  async #flushAll(): Promise<void> {
    // A write in progress doesn't include later requests, so they need another write.
    await this.#writing
    await this.flush()
  }
}
