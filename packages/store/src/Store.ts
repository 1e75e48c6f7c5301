import { Genesis, type Networks } from '@firn/genesis'
import { Kysely, sql } from 'kysely'
import * as migrations from './gen/migrations.ts'
import { Advances } from './internal/Advances.ts'
import type { Driver } from './internal/Driver.ts'
import { DATABASE, fetchFirst, fetchRows } from './internal/database.ts'
import { migrate } from './internal/migrate.ts'
import { type DriverOptions, openDriver } from './internal/open.ts'
import * as NetworkRules from './NetworkRules.ts'
import type { Database } from './Schema.ts'
import * as Snapshots from './Snapshot.ts'
import { StoreError } from './StoreError.ts'

/** The location of the tables, and the network they belong to. */
export interface Options extends DriverOptions {
  /** The name of the schema; {@link schemaOf} of `networkID` by default, `primary_network` without one. */
  readonly schema?: string | undefined
  readonly networkId?: number | undefined
  /** Returns milliseconds since an arbitrary start; used to measure the age of a snapshot. */
  readonly now?: (() => number) | undefined
}

/** Returns the name of a network's schema. */
export function schemaOf(networkId: number): string {
  return `primary_${networkId}`
}

/** A network and its rules. */
export interface Network {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/** The tables of a network. Any number of stores may read them; only the `Writer` of one store writes. */
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
   * Opens a database. The tables may be missing until {@link migrate}.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  static async open(options: Options = {}): Promise<Store> {
    const { networkId } = options
    const { schema = networkId === undefined ? 'primary_network' : schemaOf(networkId) } = options
    const driver = await openDriver(options, schema)
    return new Store(driver, schema, options.now ?? (() => performance.now()))
  }

  /**
   * Creates the tables, or migrates them to this version. Several processes may do so at the same time.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {
    await migrate(this[DATABASE], this.schema, migrations.primary)
  }

  /**
   * Returns the snapshot for a request: one height of each chain, fixed for the whole request. Cheap: cached
   * until a writer announces new blocks, for at most 200 ms.
   * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`
   */
  async snapshot(signal?: AbortSignal): Promise<Snapshots.Snapshot> {
    return this.#advances.snapshot(signal)
  }

  async #readSnapshot(): Promise<Snapshots.Snapshot> {
    const rows = await fetchRows(this, sql<Database['cursor']>`select * from cursor`)
    const [P, X, C] = (['P', 'X', 'C'] as const).map((name) => {
      const row = rows.find(({ chain }) => chain === name)
      return row && { height: row.height, blockId: row.block_id, time: row.time }
    })
    if (P === undefined || X === undefined || C === undefined) {
      throw new StoreError('STORE_EMPTY', 'expected a network, got a database without one')
    }
    return Snapshots.create({ P, X, C })
  }

  /**
   * Checks that the database answers.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async ping(): Promise<void> {
    await fetchRows(this, sql`select height from cursor`)
  }

  /**
   * Calls `listener` after each commit of a writer, in this process or, with PostgreSQL, in any. Returns a
   * function that removes the listener.
   */
  onAdvance(listener: () => void): () => void {
    return this.#advances.listen(listener)
  }

  /**
   * Returns the stored network; undefined while there is none.
   * @throws StoreError `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError of a malformed genesis
   */
  async network(): Promise<Network | undefined> {
    const row = await fetchFirst(this, sql<Database['network']>`select * from network`)
    if (row === undefined) return undefined
    const genesis = Genesis.decode(row.genesis)
    return { genesis, constants: NetworkRules.parse(genesis.networkId, row) }
  }

  /** For writers only. */
  get driver(): Driver {
    return this.#driver
  }

  /** For writers only: publishes the new snapshot. */
  advanced(snapshot: Snapshots.Snapshot): void {
    this.#advances.tell(snapshot)
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#driver.close()
    await this[DATABASE].destroy()
  }
}
