import { isFirnError } from '@firn/codec'
import { type Kysely, sql } from 'kysely'
import { StoreError } from './StoreError.ts'

/**
 * The migrations of a kind of schema by name, in order. Each SQL statement ends with `;` and a line break.
 */
export type Migrations = Readonly<Record<string, string>>

/**
 * Migrates a schema to its last migration. Concurrent migrations wait for each other. An up-to-date schema needs no
 * lock, so a process that is suspended during a migration doesn't block processes that have nothing to migrate.
 * @throws StoreError `STORE_SCHEMA` if a later version created the tables, `STORE_UNAVAILABLE`
 * @example
 * ```ts
 * import { migrate, openDriver } from '@firn/sql'
 * import { Kysely } from 'kysely'
 *
 * const driver = await openDriver({ folder: 'data' }, 'places')
 * const db = new Kysely({ dialect: driver.dialect })
 * await migrate(db, 'places', { '0001_tables': 'create table city (id bigint not null);\n' })
 * ```
 */
export async function migrate<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<void> {
  if ((await stateOf(db, schema, migrations)) === 'current') return
  await db.connection().execute(async (connection) => {
    const lock = sql`hashtextextended(${`firn ${schema}`}, 0)`
    // The statement timeout is switched off, because waiting for the lock or building an index on a large
    // table may take longer.
    const { rows } = await sql<{ bound: string }>`
      select current_setting('statement_timeout') as bound, set_config('statement_timeout', '0', false)`.execute(
      connection,
    )
    // Citus rejects statements that change tables after others have changed rows through several connections.
    await sql`set citus.multi_shard_modify_mode to 'sequential'`.execute(connection)
    await sql`select pg_advisory_lock(${lock})`.execute(connection)
    try {
      await createSchema(connection, schema)
      await run(connection, schema, migrations)
    } finally {
      await sql`reset citus.multi_shard_modify_mode`.execute(connection)
      await sql`select pg_advisory_unlock(${lock}), set_config('statement_timeout', ${rows[0]?.bound ?? '0'}, false)`.execute(
        connection,
      )
    }
  })
}

/**
 * Returns whether a schema has tables that {@link migrate} would change.
 * @example
 * ```ts
 * import { isOutdated, type Migrations } from '@firn/sql'
 * import type { Kysely } from 'kysely'
 *
 * declare const db: Kysely<unknown>
 * declare const migrations: Migrations
 * if (await isOutdated(db, 'places', migrations)) console.log('migrating the tables')
 * ```
 */
export async function isOutdated<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<boolean> {
  return (await stateOf(db, schema, migrations)) === 'outdated'
}

const MIGRATION_TABLE = 'kysely_migration'

type SchemaState = 'missing' | 'outdated' | 'current' | 'newer'

async function stateOf<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<SchemaState> {
  const table = sql`${`${schema}.${MIGRATION_TABLE}`}`
  const { rows } = await sql<{
    isThere: boolean
  }>`select to_regclass(${table}) is not null as "isThere"`.execute(db)
  if (rows[0]?.isThere !== true) return 'missing'
  const done = await sql<{ name: string }>`select name from ${sql.id(schema, MIGRATION_TABLE)}`.execute(db)
  const names = new Set(done.rows.map(({ name }) => name))
  if ([...names].some((name) => !(name in migrations))) return 'newer'
  return Object.keys(migrations).every((name) => names.has(name)) ? 'current' : 'outdated'
}

/**
 * Checks that a schema has exactly the tables of this version, without writing.
 * @throws StoreError `STORE_EMPTY` if there are no tables; `STORE_SCHEMA` if another version created them
 * @example
 * ```ts
 * import { assertCurrent, type Migrations } from '@firn/sql'
 * import type { Kysely } from 'kysely'
 *
 * declare const db: Kysely<unknown>
 * declare const migrations: Migrations
 * await assertCurrent(db, 'places', migrations)
 * ```
 */
export async function assertCurrent<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<void> {
  const state = await stateOf(db, schema, migrations)
  if (state === 'current') return
  const details = { schema, state }
  if (state === 'newer') throw newer(details)
  if (state === 'missing') {
    const message = `the database has no tables in schema ${schema} yet; start the process that fills it first`
    throw new StoreError('STORE_EMPTY', message, { details })
  }
  const message = `the tables in schema ${schema} were created by an earlier version of Firn; first start this version of the process that fills them, which migrates them`
  throw new StoreError('STORE_SCHEMA', message, { details })
}

/**
 * SQLSTATEs of statements that fail because another program has created the schema without taking our lock.
 */
const CREATED = ['23505', '42P06']

async function createSchema<T>(connection: Kysely<T>, schema: string): Promise<void> {
  const create = sql`create schema if not exists ${sql.id(schema)}`
  await create.execute(connection).catch(async (error: unknown) => {
    // `if not exists` doesn't see uncommitted objects, and then violates a unique index.
    if (!isFirnError(error) || !CREATED.includes(String(error.details['sqlState']))) throw error
    await create.execute(connection)
  })
}

/**
 * Runs the missing migrations in one transaction. kysely's migrator is not used, because it reads the columns of all
 * tables of the database several times, which takes longer than the migrations if there are many schemas.
 */
async function run<T>(connection: Kysely<T>, schema: string, migrations: Migrations): Promise<void> {
  const table = sql.id(schema, MIGRATION_TABLE)
  await connection.transaction().execute(async (transaction) => {
    await sql`create table if not exists ${table} (
      name varchar(255) primary key, timestamp varchar(255) not null)`.execute(transaction)
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(transaction)
    const names = Object.keys(migrations)
    if (rows.some(({ name }, i) => name !== names[i])) throw newer({ schema })
    for (const name of names.slice(rows.length)) {
      for (const statement of splitStatements(migrations[name] ?? ''))
        await sql.raw(statement).execute(transaction)
      await sql`insert into ${table} values (${name}, now()::text)`.execute(transaction)
    }
  })
}

function newer(details: Readonly<Record<string, unknown>>): StoreError {
  const message = 'the tables were created by a later version of Firn; upgrade Firn, or use another schema'
  return new StoreError('STORE_SCHEMA', message, { details })
}

/**
 * Returns the statements of a migration. Drivers run only one statement at a time.
 * @example
 * ```ts
 * import { splitStatements } from '@firn/sql'
 *
 * splitStatements('drop table a;\ndrop table b;\n') // ['drop table a', 'drop table b']
 * ```
 */
export function splitStatements(text: string): string[] {
  return text.split(';\n').filter((statement) => statement.trim() !== '')
}
