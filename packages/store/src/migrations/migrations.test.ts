import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  columnDefinition,
  createStatements,
  type Driver,
  type Migrations,
  migrate,
  splitStatements,
} from '@firn/sql'
import type { Tables } from '@firn/sql/table'
import { database, type Entry, readCatalog } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import { EVM_TABLES } from '../evm/EvmSchema.ts'
import * as generated from '../gen/migrations.ts'
import { TABLES } from '../Schema.ts'
import type { Store } from '../Store.ts'
import { eachDatabase } from '../testing/databases.ts'
import { USAGE_TABLES } from '../usage/Schema.ts'
import { generate, MODULE } from './generate.ts'

const RELEASED = join(import.meta.dirname, '../../vectors/schemas')
const RELEASES = readdirSync(RELEASED).filter((name) => !name.endsWith('.md'))
const SCHEMAS: Readonly<Record<string, { readonly tables: Tables; readonly migrations: Migrations }>> = {
  primary: { tables: TABLES, migrations: generated.primary },
  evm: { tables: EVM_TABLES, migrations: generated.evm },
  usage: { tables: USAGE_TABLES, migrations: generated.usage },
}

test('keeps the generated module in sync with the SQL files', () => {
  const message = 'The migrations changed. Run `pnpm --filter @firn/store migrations`.'
  expect(readFileSync(MODULE, 'utf8') === generate(), message).toBe(true)
})

eachDatabase(({ open }) => {
  describe.each(Object.entries(SCHEMAS))('migrations of the schema %s', (name, { tables, migrations }) => {
    test('creates the declared tables in an empty database', async () => {
      const store = await open()
      const schema = `empty_${name}`
      await remove(store, schema)
      await migrate(database(store), schema, inSchema(schema, migrations))
      await expectDeclared(store, schema, name, tables, migrations)
    })

    test.each(RELEASES)('upgrades the schema of release %s to the declared tables', async (version) => {
      const store = await open()
      const schema = `upgraded_${name}`
      await remove(store, schema)
      const dump = readFileSync(join(RELEASED, version, `${name}.sql`), 'utf8')
      await store.driver.transaction((session) =>
        run(session, schema, [`create schema ${schema}`, ...splitStatements(dump)]),
      )
      await migrate(database(store), schema, inSchema(schema, migrations))
      await expectDeclared(store, schema, name, tables, migrations)
    })
  })
})

type Session = Parameters<Parameters<Driver['transaction']>[0]>[0]

/** Removes a schema that an earlier run left in a database that outlives the tests. */
async function remove({ driver }: Store, schema: string): Promise<void> {
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
  { driver }: Store,
  schema: string,
  name: string,
  tables: Tables,
  migrations: Migrations,
): Promise<void> {
  const declared = `declared_${name}`
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
  const file = `packages/store/src/migrations/${name}/${number}_<name>.sql`
  const sql = [
    ...suggest(tables, missing, actual),
    ...undeclared.map((entry) => `-- not declared: ${textOf(entry)}`),
  ]
  expect.fail(
    `The tables of the schema ${name} are not what its migrations create. Write ${file}, for example:\n\n${sql.join('\n')}\n\n` +
      'Then run `pnpm --filter @firn/store migrations`. Never change a migration that was released.',
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
