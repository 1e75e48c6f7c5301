import { assertCurrent, DATABASE, type Driver, type DriverOptions, migrate, openDriver } from '@firn/sql'
import { Kysely } from 'kysely'
import * as migrations from '../gen/migrations.ts'
import type { UsageDatabase } from './Schema.ts'

/** Options of {@link UsageStore.open}: the location of the usage tables. */
export interface UsageOptions extends DriverOptions {
  /** Name of the schema; `usage` by default. */
  readonly schema?: string | undefined
}

/**
 * The usage tables, which have their own schema. Any number of processes may read and write them if the
 * database is shared.
 */
export class UsageStore {
  readonly [DATABASE]: Kysely<UsageDatabase>
  readonly schema: string
  /** The database driver. For writers only. */
  readonly driver: Driver

  private constructor(driver: Driver, schema: string) {
    this[DATABASE] = new Kysely<UsageDatabase>({ dialect: driver.dialect })
    this.schema = schema
    this.driver = driver
  }

  /**
   * Opens the tables in a database. The tables may be missing until {@link migrate} creates them.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`, `STORE_IN_USE`
   */
  static async open(options: UsageOptions = {}): Promise<UsageStore> {
    const { schema = 'usage' } = options
    return new UsageStore(await openDriver(options, schema), schema)
  }

  /**
   * Creates the tables or migrates them to this version. Several processes may call it at the same time.
   * @throws StoreError `STORE_SCHEMA`, `STORE_UNAVAILABLE`
   */
  async migrate(): Promise<void> {
    await migrate(this[DATABASE], this.schema, migrations.usage)
  }

  /**
   * Checks that the tables have this version. Unlike {@link migrate}, it never writes, so it also works on a
   * standby server.
   * @throws StoreError `STORE_EMPTY` if there are no tables; `STORE_SCHEMA` if another version created them;
   * `STORE_UNAVAILABLE`
   */
  async assertCurrent(): Promise<void> {
    await assertCurrent(this[DATABASE], this.schema, migrations.usage)
  }

  /** Closes all connections of the store. */
  async close(): Promise<void> {
    await this.driver.close()
    await this[DATABASE].destroy()
  }
}
