import { Hex } from '@firn/codec'
import { DATABASE } from '@firn/sql'
import { codeOf, database } from '@firn/sql/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type Database, LEDGER_TABLE_NAMES, LEDGER_TABLES, type LedgerTable } from './Schema.ts'
import type { Snapshot } from './Snapshot.ts'
import * as StateDigest from './StateDigest.ts'
import type { Store } from './Store.ts'
import { eachDatabase } from './testing/databases.ts'
import { openPGlite } from './testing/pglite.ts'
import { follow, load } from './testing/recordings.ts'
import { Writer } from './Writer.ts'

const { genesis, constants, chains } = load('local')

async function digest(store: Store, at?: Snapshot): Promise<string> {
  return Hex.encode(await StateDigest.of(store, at))
}

/** Columns that the digest doesn't cover. The time at which a node accepted a block differs between nodes. */
const LEFT_OUT = ['block.accepted_at', 'vertex.accepted_at']

/**
 * SQL expressions that change a value, by column type: they append a byte or character, increase a number, negate a
 * boolean or replace a null.
 */
const CHANGES: Readonly<Record<string, string>> = {
  bytea: `coalesce($ || '\\x00'::bytea, '\\x01'::bytea)`,
  'bytea[]': `$ || '\\x01'::bytea`,
  bigint: 'coalesce($, 0) + 1000000',
  integer: '$ + 1000000',
  'numeric(20,0)': 'coalesce($, 0) + 1',
  text: `$ || 'x'`,
  boolean: 'not $',
}
const CHAIN = `case $ when 'P' then 'X' else 'P' end`
/** SQL expressions for columns that need a special change. */
const SPECIAL: Readonly<Record<string, string>> = {
  chain: CHAIN,
  source: CHAIN,
  until: 'case when $ is null then since end',
  since: '$ - 1000000',
}

describe('the digest of a recorded network', async () => {
  const store = await openPGlite()
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...follow(state, chains)])
  for (const table of LEDGER_TABLE_NAMES) await keepFew(store, table)
  // The recorded network never had vertices.
  await sql`insert into vertex values (0, '\\x01', 7, '{}', '\\x02')`.execute(database(store))
  await sql`insert into vertex_transaction values (0, 0, 0)`.execute(database(store))
  afterAll(() => store.close())
  const at = await store.snapshot()
  const original = await digest(store)
  const { rows: types } = await sql<{ table: LedgerTable; column: string; type: string }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and not c.relispartition and a.attnum > 0`.execute(
    database(store),
  )
  const cells = LEDGER_TABLE_NAMES.flatMap((table) =>
    Object.keys(LEDGER_TABLES[table].columns).map((column) => ({ table, column })),
  )

  test('has a digest test for every column of the ledger tables', () => {
    const all = types.filter(({ table }) => LEDGER_TABLE_NAMES.includes(table))
    const names = (list: readonly { table: string; column: string }[]) =>
      list.map(({ table, column }) => `${table}.${column}`).toSorted()
    expect(names(cells)).toEqual(names(all))
  })

  const named = cells.map(({ table, column }) => [`${table}.${column}`, table, column] as const)
  test.each(named)(
    'changes the digest when %s changes, unless the digest leaves that column out',
    async (_name, table, column) => {
      const { type } = types.find((one) => one.table === table && one.column === column) ?? { type: '' }
      const change = (SPECIAL[column] ?? CHANGES[type] ?? '').replaceAll('$', `"${column}"`)
      const changed = await database(store)
        .transaction()
        .execute(async (transaction) => {
          await sql
            .raw(
              `update ${table} set "${column}" = ${change} where (tableoid, ctid) = (
              select tableoid, ctid from ${table} where ${conditionOf(column)} order by ${orderOf(table)} desc limit 1)`,
            )
            .execute(transaction)
          throw new Changed(await digest(over(store, transaction), at))
        })
        .catch((error: unknown) => {
          if (error instanceof Changed) return error.digest
          throw error
        })
      if (LEFT_OUT.includes(`${table}.${column}`)) expect(changed).toBe(original)
      else expect(changed).not.toBe(original)
    },
  )
})

/** An error that is thrown to carry a digest out of a transaction and to roll the transaction back. */
class Changed extends RangeError {
  readonly digest: string
  constructor(digest: string) {
    super('changed')
    this.digest = digest
  }
}

/**
 * Returns the SQL condition for rows whose change affects the digest of the snapshot. If a UTXO was consumed
 * after the snapshot, the digest does not cover its consumption.
 */
function conditionOf(column: string): string {
  return column.startsWith('consumed_') ? 'consumed_height < 10' : 'true'
}

/**
 * Returns the column to order by, so that the newest row comes first. Changing the chain or height of the
 * newest row can't make it collide with another row.
 */
function orderOf(table: LedgerTable): string {
  if (table === 'vertex_transaction') return 'vertex'
  return 'height' in LEDGER_TABLES[table].columns ? 'height' : 'since'
}

/** Deletes all rows but a few that the tests change, because a digest of few rows takes less time. */
async function keepFew(store: Store, table: LedgerTable): Promise<void> {
  const consumed = 'consumed_height' in LEDGER_TABLES[table].columns ? 'consumed_height' : ''
  const some = (condition: string) =>
    `(select tableoid, ctid from ${table} where ${condition} order by ${orderOf(table)} desc limit 9)`
  const kept = `${some('true')} union ${some(conditionOf(consumed))}`
  await sql.raw(`delete from ${table} where (tableoid, ctid) not in (${kept})`).execute(database(store))
}

/** Returns a store that reads through the given transaction. */
function over(store: Store, db: Kysely<Database>): Store {
  return Object.create(store, { [DATABASE]: { value: db } })
}

eachDatabase(({ open }) => {
  test('returns the same digest for an earlier snapshot after more commits', async () => {
    const store = await open()
    const { writer, state } = await Writer.open(store, genesis, constants)
    const seen: { snapshot: Snapshot; digest: string }[] = []
    const blocks = [...follow(state, chains)]
    for (let i = 0; i < blocks.length; i += 40) {
      const snapshot = await store.snapshot()
      seen.push({ snapshot, digest: await digest(store) })
      await writer.commit(blocks.slice(i, i + 40))
    }
    for (const { snapshot, digest: before } of seen) expect(await digest(store, snapshot)).toBe(before)
    expect(new Set(seen.map((one) => one.digest)).size).toBe(seen.length)
  })
})

test('rejects an empty database with STORE_EMPTY', async () => {
  const store = await openPGlite()
  await store.migrate()
  expect(await codeOf(StateDigest.of(store))).toBe('STORE_EMPTY')
  await store.close()
})

test("returns a different digest when the network's rules change", async () => {
  const store = await openPGlite()
  await store.migrate()
  await Writer.open(store, genesis, constants)
  const before = await digest(store)
  await Writer.open(store, genesis, { ...constants, txFee: constants.txFee + 1n })
  expect(await digest(store)).not.toBe(before)
  await Writer.open(store, genesis, constants)
  expect(await digest(store)).toBe(before)
  await store.close()
})
