import { Bytes } from '@firn/codec'
import {
  Advances,
  assertCurrent,
  DATABASE,
  type Driver,
  type DriverOptions,
  fetchFirst,
  fetchRows,
  isOutdated,
  migrate,
  openDriver,
  prepared,
  type Row,
  StoreError,
  shareReads,
} from '@firn/sql'
import { Kysely, sql } from 'kysely'
import { type EvmChain, ofRow } from './EvmChain.ts'
import type { EvmDatabase } from './EvmSchema.ts'
import * as EvmSnapshots from './EvmSnapshot.ts'
import * as migrations from './gen/migrations.ts'
import { buildNextIndex } from './internal/deferredIndexes.ts'
import { moveNewTables } from './internal/sharding.ts'
import { untilFinished } from './internal/unfinished.ts'

/** Options of {@link EvmStore.open}: the location of a chain's tables. */
export interface EvmOptions extends DriverOptions {
  /** Name of the schema. By default, it is the name that {@link evmSchemaOf} returns for `chainId`. */
  readonly schema?: string | undefined
  /** Returns milliseconds since an arbitrary start. It is used to measure the age of a snapshot. */
  readonly now?: (() => number) | undefined
  /** EVM chain id. */
  readonly chainId: bigint
}

/**
 * Returns the name of the schema that holds an EVM chain's tables.
 *
 * @example
 * ```ts
 * import { evmSchemaOf } from '@firn/evm-store'
 *
 * evmSchemaOf(43114n) // 'evm_43114'
 * ```
 */
export function evmSchemaOf(chainId: bigint): string {
  return `evm_${chainId}`
}

/** What a snapshot is made of. */
type StoredSnapshot = EvmDatabase['cursor'] & {
  readonly isSharded: boolean
  readonly isUnindexed: boolean
  readonly untracedFrom: bigint | null
}

/**
 * The tables of an EVM chain. Any number of stores may read them, but only the `EvmWriter` of one store may
 * write.
 */
export class EvmStore {
  readonly [DATABASE]: Kysely<EvmDatabase>
  readonly schema: string
  readonly chainId: bigint
  /** The database driver. For writers only. */
  readonly driver: Driver
  #isSharded = false
  readonly #advances: Advances<EvmSnapshots.EvmSnapshot>
  /** Most requests check at their end whether the block of their snapshot still exists. */
  readonly #positions = shareReads((heights: readonly bigint[]) => this.#readPositions(heights))

  private constructor(driver: Driver, schema: string, chainId: bigint, now: () => number) {
    this[DATABASE] = new Kysely<EvmDatabase>({ dialect: driver.dialect })
    this.schema = schema
    this.chainId = chainId
    this.driver = driver
    this.#advances = new Advances(driver, schema, () => this.#readSnapshot(), now)
  }

  /**
   * Opens the tables in a database. The tables may be missing until {@link migrate} creates them.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`, `STORE_IN_USE`
   */
  static async open(options: EvmOptions): Promise<EvmStore> {
    const { chainId, schema = evmSchemaOf(chainId), now = () => performance.now() } = options
    return new EvmStore(await openDriver(options, schema), schema, chainId, now)
  }

  /**
   * Creates the tables or migrates them to this version. New tables of a sharded chain are sharded too. Indexes that
   * are missing, because the chain is being filled without them, are built before a migration. Several processes may
   * call it at the same time.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {
    if (await isOutdated(this[DATABASE], this.schema, migrations.evm)) await this.#buildIndexes()
    await migrate(this[DATABASE], this.schema, migrations.evm)
    await this.driver.transaction(moveNewTables)
  }

  /** Migrations expect all indexes that earlier ones created. */
  async #buildIndexes(): Promise<void> {
    const [table] = await this.driver.transaction((session) =>
      session.query(`select from pg_class where oid = to_regclass('deferred_index')`),
    )
    if (table !== undefined) while ((await buildNextIndex(this.driver)) !== undefined);
  }

  /**
   * Checks that the tables have this version. Unlike {@link migrate}, it never writes, so it also works on a
   * standby server.
   * @throws StoreError `STORE_EMPTY` if there are no tables; `STORE_SCHEMA` if another version created them;
   * `STORE_UNAVAILABLE`
   */
  async assertCurrent(): Promise<void> {
    await assertCurrent(this[DATABASE], this.schema, migrations.evm)
  }

  /** Whether the chain is sharded over several servers, as of the last snapshot. */
  get isSharded(): boolean {
    return this.#isSharded
  }

  /**
   * Returns the stored chain, or undefined if no writer was ever opened.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async chain(): Promise<EvmChain | undefined> {
    const row = await fetchFirst(this, sql<EvmDatabase['chain']>`select * from chain`)
    return row && ofRow(row)
  }

  /**
   * Returns the snapshot for one request: the chain up to its newest block. The call is cheap: the snapshot
   * is cached for at most 200 ms, or until a writer announces a change.
   * @throws StoreError `STORE_EMPTY` if no block is stored, `STORE_HALTED` if the chain is not served,
   * `STORE_UNINDEXED` if it is being filled without the indexes that requests need, `STORE_UNAVAILABLE`
   */
  async snapshot(signal?: AbortSignal): Promise<EvmSnapshots.EvmSnapshot> {
    return this.#advances.snapshot(signal)
  }

  async #readSnapshot(): Promise<EvmSnapshots.EvmSnapshot> {
    const row = await fetchFirst(
      this,
      sql<StoredSnapshot>`
      select *, exists (select from sharding) as "isSharded", exists (select from deferred_index) as "isUnindexed",
        (select min(height) from trace_gap) as "untracedFrom" from cursor`,
    )
    if (row === undefined) {
      throw new StoreError(
        'STORE_EMPTY',
        `the database contains no blocks of EVM chain ${this.chainId} yet; retry after the indexer has stored some`,
      )
    }
    if (row.halted !== null) throw new StoreError('STORE_HALTED', row.halted)
    if (row.isUnindexed) {
      const message = `EVM chain ${this.chainId} is being filled without the indexes that requests need; retry after the indexer has reached its head and built them`
      throw new StoreError('STORE_UNINDEXED', message)
    }
    this.#isSharded = row.isSharded
    if (row.isSharded) await untilFinished((text) => fetchRows(this, sql<Row>`${sql.raw(text)}`))
    const position = { ...row, settledHeight: row.settled_height }
    return EvmSnapshots.create(position, row.sequence, row.untracedFrom ?? undefined)
  }

  async #readPositions(heights: readonly bigint[]): Promise<ReadonlyMap<bigint, EvmSnapshots.EvmPosition>> {
    const rows = await fetchRows(
      this,
      sql<EvmSnapshots.EvmPosition>`${prepared} select height, hash, time, settled_height as "settledHeight" from block
      where height = any(${sql.val(heights.map(String))}::bigint[])`,
    )
    return new Map(rows.map((row) => [row.height, row]))
  }

  /**
   * Returns an earlier snapshot: the chain up to the block at a height. Returns undefined if no block is
   * stored at that height, or if the hash of the stored block does not start with `hashPrefix` because the
   * block was replaced.
   * @throws StoreError `STORE_EMPTY` if no block is stored, `STORE_HALTED` or `STORE_UNINDEXED` if the chain is not served,
   * `STORE_UNAVAILABLE`
   */
  async snapshotAt(height: bigint, hashPrefix?: Uint8Array): Promise<EvmSnapshots.EvmSnapshot | undefined> {
    const { sequence, untracedFrom } = await this.snapshot()
    const row = (await this.#positions(height)).get(height)
    if (row === undefined) return undefined
    const isSame =
      hashPrefix === undefined || Bytes.equals(row.hash.subarray(0, hashPrefix.length), hashPrefix)
    return isSame ? EvmSnapshots.create(row, sequence, untracedFrom) : undefined
  }

  /**
   * Returns whether all data that was read since a snapshot is of its chain: its block is still stored. Lists and
   * answers of several statements are complete only then.
   * @throws StoreError `STORE_EMPTY`, `STORE_HALTED`, `STORE_UNINDEXED`, `STORE_UNAVAILABLE`
   */
  async isStored(at: EvmSnapshots.EvmSnapshot): Promise<boolean> {
    if ((await this.snapshotAt(at.height, at.hash)) === undefined) return false
    if (!this.#isSharded) return true
    // One worker may have removed rows of an undo while another still has the block. The change is visible before both.
    const undone = await fetchFirst(
      this,
      sql`${prepared} select from change where sequence > ${at.sequence} and kind = 'undone' and height <= ${at.height} limit 1`,
    )
    return undone === undefined
  }

  /**
   * Calls `listener` after each change by a writer in this process. With PostgreSQL, changes by other
   * processes are reported too. Returns a function that removes the listener.
   */
  onAdvance(listener: () => void): () => void {
    return this.#advances.listen(listener)
  }

  /**
   * Returns the number of indexes that requests need and that are not built yet. Until it is 0, the chain is not served.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async missingIndexes(): Promise<number> {
    const row = await fetchFirst(
      this,
      sql<{ count: number }>`select count(*)::int4 as count from deferred_index`,
    )
    return row?.count ?? 0
  }

  /**
   * Publishes a new snapshot to the readers of this process. If it is undefined, the next reader reads the snapshot
   * from the database. For writers only.
   */
  advanced(snapshot: EvmSnapshots.EvmSnapshot | undefined): void {
    this.#advances.tell(snapshot)
  }

  /** Closes all connections of the store. */
  async close(): Promise<void> {
    await this.driver.close()
    await this[DATABASE].destroy()
  }
}
