import { isFirnError } from '@firn/codec'
import type { Driver, Session } from '@firn/sql'
import { announce, type PruneOptions } from './prune.ts'
import {
  deleteOldest,
  dropPartition,
  LOCK_TIMEOUT,
  oldestPartition,
  type PrunedTable,
  type PrunedTables,
  prunedTables,
  recordOldest,
} from './removeRows.ts'
import { Walk } from './Walk.ts'

/** Number of rows that are deleted in one database transaction. */
const PRUNED_ROWS = 5_000

/** Runs work in a database transaction. */
export type Run = <T>(work: (session: Session) => Promise<T>) => Promise<T>

/** Removes the old data of a chain in steps, and remembers what it has removed. */
export class Pruning {
  readonly #fenced: Run
  readonly #driver: Driver
  readonly #remove: Run
  /** For each table, the height below which all rows are removed. */
  readonly #removed = new Map<string, bigint>()
  /** For each partition to drop, the height below which the last activity of addresses is stored. */
  readonly #recorded = new Map<string, bigint>()
  /** The walks over tables whose rows replace each other. */
  readonly #walks = new Map<string, Walk>()

  /**
   * @param fenced runs work in a fenced transaction
   * @param remove runs work that changes only rows that are removed, for which commits do not wait
   */
  constructor(driver: Driver, fenced: Run, remove: Run) {
    this.#driver = driver
    this.#fenced = fenced
    this.#remove = remove
  }

  /** Removes data once. Returns whether there is more to remove. */
  async step(options: PruneOptions): Promise<boolean> {
    const driver = this.#driver
    const { batch = PRUNED_ROWS } = options
    const tables = await this.#fenced(async (session) => {
      await announce(session, options)
      return prunedTables(session)
    })
    let hasMore = await this.#removeReplaced(tables, batch)
    let isInUse = false
    for (const table of tables.oldest) {
      const { name, below, isPartitioned } = table
      const from = this.#removed.get(name) ?? table.from
      // The last activity of the rows of other tables is stored with the times of their blocks.
      if (from === below || (name === 'block' && (hasMore || isInUse))) continue
      // Dropping a partition locks out commits anyway. With the fence, it does not have to wait for their end.
      if (isPartitioned) {
        const partition = await this.#dropOldest(table, batch)
        hasMore ||= partition === 'dropped'
        isInUse ||= partition === 'inUse'
        if (partition !== 'none') continue
      }
      const next = await this.#remove((session) => deleteOldest(session, table, from, batch))
      this.#removed.set(name, next)
      if (next < below) hasMore = true
      // PGlite has no automatic vacuum.
      else if (!driver.isShared) await driver.control(`vacuum "${name}"`)
    }
    return hasMore
  }

  /** Takes the next step of each walk. Returns whether there is more to remove. */
  async #removeReplaced({ replaced }: PrunedTables, batch: number): Promise<boolean> {
    const driver = this.#driver
    let hasMore = false
    for (const { name, below } of replaced) {
      if (this.#removed.get(name) === below) continue
      const known = this.#walks.get(name)
      const walk = known?.below === below ? known : new Walk(name, below)
      this.#walks.delete(name)
      if (await this.#remove((session) => walk.step(session, batch))) {
        this.#walks.set(name, walk)
        hasMore = true
        continue
      }
      this.#removed.set(name, below)
      if (!driver.isShared) await driver.control(`vacuum "${name}"`)
    }
    return hasMore
  }

  /** Drops the oldest partition of a table, if it only has rows to remove and no reader uses the table. */
  async #dropOldest(table: PrunedTable, batch: number): Promise<'dropped' | 'inUse' | 'none'> {
    const driver = this.#driver
    const partition = await driver.transaction((session) => oldestPartition(session, table))
    if (partition === undefined) return 'none'
    for (;;) {
      const from = this.#recorded.get(partition)
      const next = await this.#remove((session) => recordOldest(session, table, { partition, from, batch }))
      if (next === undefined) break
      this.#recorded.set(partition, next)
    }
    try {
      await this.#fenced((session) => dropPartition(session, table, partition))
      return 'dropped'
    } catch (error) {
      if (isFirnError(error) && error.details['sqlState'] === LOCK_TIMEOUT) return 'inUse'
      throw error
    }
  }
}
