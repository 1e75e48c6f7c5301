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

/** Where the tables are, and whose. */
export interface Options extends DriverOptions {
  /** The name of the schema; that of {@link schemaOf} where `networkID` is given, else `primary_network`. */
  readonly schema?: string | undefined
  readonly networkId?: number | undefined
  /** Milliseconds, from any start; how old a snapshot is is measured by it. */
  readonly now?: (() => number) | undefined
}

/** The name of a network's schema. */
export function schemaOf(networkId: number): string {
  return `primary_${networkId}`
}

/** A network and its rules. */
export interface Network {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/** A network's tables. Any number of stores may read them; a `Writer` of one of them writes. */
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
   * Makes the tables, or brings them up to this version. Several processes may do so at once.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {
    await migrate(this[DATABASE], this.schema, migrations.primary)
  }

  /**
   * What a request sees: one height of each chain, for the whole of it. Cheap: kept until a writer tells of new blocks, for 200 ms
   * at the longest.
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
   * Reads from the database, to find out whether it answers.
   * @throws StoreError `STORE_UNAVAILABLE`
   */
  async ping(): Promise<void> {
    await fetchRows(this, sql`select height from cursor`)
  }

  /** Calls `listener` after each commit of a writer, in this process or, with PostgreSQL, in any. The result ends it. */
  onAdvance(listener: () => void): () => void {
    return this.#advances.listen(listener)
  }

  /**
   * The network that is stored; undefined while there is none.
   * @throws StoreError `STORE_UNAVAILABLE`, `STORE_CORRUPT`; CodecError of a malformed genesis
   */
  async network(): Promise<Network | undefined> {
    const row = await fetchFirst(this, sql<Database['network']>`select * from network`)
    if (row === undefined) return undefined
    const genesis = Genesis.decode(row.genesis)
    return { genesis, constants: NetworkRules.parse(genesis.networkId, row) }
  }

  /** For writers. */
  get driver(): Driver {
    return this.#driver
  }

  /** For writers: this is what there is by now. */
  advanced(snapshot: Snapshots.Snapshot): void {
    this.#advances.tell(snapshot)
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#driver.close()
    await this[DATABASE].destroy()
  }
}
