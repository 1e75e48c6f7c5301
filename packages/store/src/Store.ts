import { CHAIN_ALIASES } from '@firn/codec'
import { Genesis, type Networks } from '@firn/genesis'
import {
  Advances,
  DATABASE,
  type Driver,
  type DriverOptions,
  fetchFirst,
  fetchRows,
  migrate,
  openDriver,
  StoreError,
} from '@firn/sql'
import { Kysely, sql } from 'kysely'
import * as migrations from './gen/migrations.ts'
import * as NetworkRules from './NetworkRules.ts'
import type { Database } from './Schema.ts'
import * as Snapshots from './Snapshot.ts'

/** Options of {@link Store.open}: the location of the tables and the network to which they belong. */
export interface Options extends DriverOptions {
  /**
   * Name of the schema. By default, it is the name that {@link schemaOf} returns for `networkId`, or
   * `primary_network` if no network is given.
   */
  readonly schema?: string | undefined
  readonly networkId?: number | undefined
  /** Returns milliseconds since an arbitrary start. It is used to measure the age of a snapshot. */
  readonly now?: (() => number) | undefined
}

/**
 * Returns the name of the schema that holds a network's tables.
 *
 * @example
 * ```ts
 * import { schemaOf } from '@firn/store'
 *
 * schemaOf(1) // 'primary_1'
 * ```
 */
export function schemaOf(networkId: number): string {
  return `primary_${networkId}`
}

/** The genesis of a network and its constants. */
export interface Network {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Whether the database follows the C-chain. If not, nothing is known of it, see `Writer.resume`. */
  readonly followsCChain: boolean
}

/**
 * The tables of a network. Any number of stores may read them, but only the `Writer` of one store may write.
 */
export class Store {
  readonly [DATABASE]: Kysely<Database>
  readonly schema: string
  readonly #driver: Driver
  readonly #advances: Advances<Snapshots.Snapshot>

  private constructor(driver: Driver, schema: string, now: () => number) {
    this[DATABASE] = new Kysely<Database>({ dialect: driver.dialect })
    this.schema = schema
    this.#driver = driver
    this.#advances = new Advances(driver, schema, () => this.#readSnapshot(), now)
  }

  /**
   * Opens the tables in a database. The tables may be missing until {@link migrate} creates them.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`, `STORE_IN_USE`
   */
  static async open(options: Options = {}): Promise<Store> {
    const { networkId } = options
    const { schema = networkId === undefined ? 'primary_network' : schemaOf(networkId) } = options
    const driver = await openDriver(options, schema)
    return new Store(driver, schema, options.now ?? (() => performance.now()))
  }

  /**
   * Creates the tables or migrates them to this version. Several processes may call it at the same time.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {
    await migrate(this[DATABASE], this.schema, migrations.primary)
  }

  /**
   * Returns the snapshot for one request: the heights of the three chains, fixed for the whole request. The
   * call is cheap: the snapshot is cached for at most 200 ms, or until a writer announces new blocks.
   * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
   */
  async snapshot(signal?: AbortSignal): Promise<Snapshots.Snapshot> {
    return this.#advances.snapshot(signal)
  }

  async #readSnapshot(): Promise<Snapshots.Snapshot> {
    const rows = await fetchRows(this, sql<Database['cursor']>`select * from cursor`)
    const [P, X, C] = CHAIN_ALIASES.map((name) => {
      const row = rows.find(({ chain }) => chain === name)
      // Snapshots are cached, and the bytes of the row are part of a larger buffer.
      return row && { height: row.height, blockId: new Uint8Array(row.block_id), time: row.time }
    })
    if (P === undefined || X === undefined || C === undefined) {
      throw new StoreError(
        'STORE_EMPTY',
        'the database contains no network yet; fill it with firn index or firn up',
      )
    }
    return Snapshots.create({ P, X, C })
  }

  /**
   * Checks that the database responds.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async ping(): Promise<void> {
    await fetchRows(this, sql`select height from cursor`)
  }

  /**
   * Calls `listener` after each commit of a writer in this process. With PostgreSQL, commits of other
   * processes are reported too. Returns a function that removes the listener.
   */
  onAdvance(listener: () => void): () => void {
    return this.#advances.listen(listener)
  }

  /**
   * Returns the stored network, or undefined if none is stored.
   * @throws StoreError `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError if the stored genesis is malformed
   */
  async network(): Promise<Network | undefined> {
    const row = await fetchFirst(this, sql<Database['network']>`select * from network`)
    if (row === undefined) return undefined
    const genesis = Genesis.decode(row.genesis)
    const constants = NetworkRules.parse(genesis.networkId, row)
    return { genesis, constants, followsCChain: row.follows_c_chain }
  }

  /** The database driver. For writers only. */
  get driver(): Driver {
    return this.#driver
  }

  /** Publishes a new snapshot to the readers of this process. For writers only. */
  advanced(snapshot: Snapshots.Snapshot): void {
    this.#advances.tell(snapshot)
  }

  /** Closes all connections of the store. */
  async close(): Promise<void> {
    await this.#driver.close()
    await this[DATABASE].destroy()
  }
}
