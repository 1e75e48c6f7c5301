import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { columnDefinition, createStatements } from '../createStatements.ts'
import type { Driver, Session } from '../Driver.ts'
import { type Migrations, migrate, splitStatements } from '../Migrations.ts'
import type { Tables } from '../Table.ts'
import { type Entry, readCatalog } from './catalog.ts'
import { eachKind } from './databases.ts'
import { migrationsModule } from './migrationsModule.ts'

/** A kind of schema: its declared tables, and the migrations that create them. */
export interface SchemaKind {
  readonly tables: Tables
  readonly migrations: Migrations
}

/**
 * Tests that the migrations in `src/migrations` of a package, alone and from each released schema in
 * `vectors/schemas`, create the declared tables. `name` is the package's name in the workspace. For tests only.
 */
export function describeMigrations(
  name: string,
  folder: string,
  schemas: Readonly<Record<string, SchemaKind>>,
): void {
  const command = `pnpm --filter ${name} migrations`
  const released = join(folder, 'vectors/schemas')
  const releases = readdirSync(released).filter((entry) => !entry.endsWith('.md'))

  test('keeps the generated module in sync with the SQL files', () => {
    const message = `The migrations changed. Run \`${command}\`.`
    const generated = readFileSync(join(folder, 'src/gen/migrations.ts'), 'utf8')
    expect(generated === migrationsModule(folder, name), message).toBe(true)
  })

  eachKind(({ driver: open }) => {
    describe.each(Object.entries(schemas))('migrations of the schema %s', (kind, { tables, migrations }) => {
      const declared = { kind, tables, migrations, folder, command }
      test('creates the declared tables in an empty database', async () => {
        const driver = await open()
        const schema = `empty_${kind}`
        await remove(driver, schema)
        await migrate(new Kysely({ dialect: driver.dialect }), schema, inSchema(schema, migrations))
        await expectDeclared(driver, schema, declared)
      })

      test.each(releases)('upgrades the schema of release %s to the declared tables', async (version) => {
        const driver = await open()
        const schema = `upgraded_${kind}`
        await remove(driver, schema)
        const dump = readFileSync(join(released, version, `${kind}.sql`), 'utf8')
        await driver.transaction((session) =>
          run(session, schema, [`create schema ${schema}`, ...splitStatements(dump)]),
        )
        await migrate(new Kysely({ dialect: driver.dialect }), schema, inSchema(schema, migrations))
        await expectDeclared(driver, schema, declared)
      })
    })
  })
}

/** Removes a schema that an earlier run left in a database that outlives the tests. */
async function remove(driver: Driver, schema: string): Promise<void> {
  await driver.transaction((session) => session.query(`drop schema if exists ${schema} cascade`))
}

/** Returns the same migrations for another schema. */
function inSchema(schema: string, migrations: Migrations): Migrations {
  const path = `set local search_path to ${schema};\n`
  return Object.fromEntries(Object.entries(migrations).map(([name, text]) => [name, `${path}${text}`]))
}

async function run(session: Session, schema: string, statements: readonly string[]): Promise<void> {
  await session.query(`select set_config('search_path', $1, true)`, [schema])
  for (const statement of statements) await session.query(statement)
}

/** Fails and prints the missing migration if a schema differs from its declared tables. */
async function expectDeclared(
  driver: Driver,
  schema: string,
  { kind, tables, migrations, folder, command }: SchemaKind & Record<'kind' | 'folder' | 'command', string>,
): Promise<void> {
  const declared = `declared_${kind}`
  const [actual, expected] = await driver.transaction(async (session) => {
    const statements = Object.entries(tables).flatMap(([table, value]) => createStatements(table, value))
    await run(session, declared, [`create schema ${declared}`, ...statements])
    const catalogs = [await readCatalog(session, schema), await readCatalog(session, declared)] as const
    await session.query(`drop schema ${declared} cascade`)
    return catalogs
  })
  expect(expected.length).toBeGreaterThan(0)
  const missing = subtract(expected, actual)
  const undeclared = subtract(actual, expected)
  if (missing.length + undeclared.length === 0) return
  const number = String(Object.keys(migrations).length + 1).padStart(4, '0')
  const file = join(folder, `src/migrations/${kind}/${number}_<name>.sql`)
  const sql = [
    ...suggest(tables, missing, actual),
    ...undeclared.map((entry) => `-- not declared: ${textOf(entry)}`),
  ]
  expect.fail(
    `The tables of the schema ${kind} are not what its migrations create. Write ${file}, for example:\n\n${sql.join('\n')}\n\n` +
      `Then run \`${command}\`. Never change a migration that was released.`,
  )
}

/** Returns the entries of `all` that are missing in `others`. Duplicates count separately. */
function subtract(all: readonly Entry[], others: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>()
  for (const entry of others) counts.set(textOf(entry), (counts.get(textOf(entry)) ?? 0) + 1)
  return all.filter((entry) => {
    const count = counts.get(textOf(entry)) ?? 0
    counts.set(textOf(entry), count - 1)
    return count <= 0
  })
}

function textOf({ kind, table, name, definition }: Entry): string {
  return [kind, table, name, definition].filter((part) => part !== '').join(' ')
}

/** Returns the SQL that would add the missing parts, or a comment where a decision is needed. */
function suggest(tables: Tables, missing: readonly Entry[], actual: readonly Entry[]): string[] {
  const existing = new Set(actual.map(({ table }) => table))
  const added = missing
    .filter(({ kind, table }) => kind === 'table' && table in tables && !existing.has(table))
    .map(({ table }) => table)
  return [
    ...added.flatMap((table) =>
      createStatements(table, tables[table] as Tables[string]).map((statement) => `${statement};`),
    ),
    ...missing.filter(({ table }) => !added.includes(table)).map((entry) => suggestion(tables, entry)),
  ]
}

function suggestion(tables: Tables, entry: Entry): string {
  const column = tables[entry.table]?.columns[entry.name]
  if (entry.kind === 'index') return `${entry.definition.toLowerCase()};`
  if (entry.kind !== 'column' || column === undefined) return `-- missing: ${textOf(entry)}`
  return `alter table ${entry.table} add column ${columnDefinition(entry.name, column)}; -- or alter it`
}
