import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StoreError } from '../StoreError.ts'

/** What was ever done to the tables of a kind of schema: statements, by names in the order of the doing. */
export type Migrations = Readonly<Record<string, () => Iterable<string>>>

/**
 * Brings a schema up to the last of its migrations. Others who do so at once wait for their turn: kysely's own lock comes too
 * late for the schema and for its tables.
 */
export async function migrate<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<void> {
  await db.connection().execute(async (connection) => {
    const lock = sql`hashtextextended(${`firn ${schema}`}, 0)`
    // Waiting for one's turn, and an index on a large table, take their time.
    const { rows } = await sql<{ bound: string }>`
      select current_setting('statement_timeout') as bound, set_config('statement_timeout', '0', false)`.execute(
      connection,
    )
    await sql`select pg_advisory_lock(${lock})`.execute(connection)
    try {
      await sql`create schema if not exists ${sql.id(schema)}`.execute(connection)
      await run(connection, schema, migrations)
    } finally {
      await sql`select pg_advisory_unlock(${lock}), set_config('statement_timeout', ${rows[0]?.bound ?? '0'}, false)`.execute(
        connection,
      )
    }
  })
}

async function run<T>(db: Kysely<T>, schema: string, migrations: Migrations): Promise<void> {
  const steps = Object.entries(migrations).map(([name, statements]) => [name, stepOf(statements)] as const)
  const provider = { getMigrations: async () => Object.fromEntries(steps) }
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (error instanceof StoreError) throw error
  const message = error instanceof Error ? error.message : String(error)
  throw new StoreError('STORE_SCHEMA', `expected tables of this version or an earlier one: ${message}`, {
    cause: error,
    details: { schema },
  })
}

function stepOf(statements: () => Iterable<string>): Migration {
  return {
    async up(db) {
      for (const statement of statements()) await sql.raw(statement).execute(db)
    },
  }
}
