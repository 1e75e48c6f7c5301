import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/**
 * Key of the property that gives access to a store's database. Only packages that declare tables use it; services call
 * functions of those packages.
 */
export const DATABASE: unique symbol = Symbol('database')

/** A store that can run queries. */
export interface Queryable {
  readonly [DATABASE]: QueryExecutorProvider
}

/**
 * Runs a statement and returns its rows.
 * @example
 * ```ts
 * import { fetchRows, type Queryable } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * declare const store: Queryable
 * const rows = await fetchRows(store, sql<{ name: string }>`select name from city`)
 * ```
 */
export async function fetchRows<Row>(store: Queryable, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(store[DATABASE])).rows
}

/**
 * Runs a statement and returns its first row, or undefined if it returns no row.
 * @example
 * ```ts
 * import { fetchFirst, type Queryable } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * declare const store: Queryable
 * const row = await fetchFirst(store, sql<{ name: string }>`select name from city where id = ${1n}`)
 * ```
 */
export async function fetchFirst<Row>(
  store: Queryable,
  statement: RawBuilder<Row>,
): Promise<Row | undefined> {
  return (await fetchRows(store, statement))[0]
}

/**
 * Runs a statement that selects the column `body` of records, and returns the decoded records.
 * @example
 * ```ts
 * import { fetchRecords, type Queryable } from '@firn/sql'
 * import { sql } from 'kysely'
 *
 * declare const store: Queryable
 * const decode = (bytes: Uint8Array) => bytes.length
 * const sizes = await fetchRecords(store, { decode }, sql<{ body: Uint8Array }>`select body from record`)
 * ```
 */
export async function fetchRecords<T>(
  store: Queryable,
  codec: { readonly decode: (bytes: Uint8Array) => T },
  statement: RawBuilder<{ readonly body: Uint8Array }>,
): Promise<T[]> {
  return (await fetchRows(store, statement)).map(({ body }) => codec.decode(body))
}

/**
 * Inserts a row. The members of `row` are the columns.
 * @example
 * ```ts
 * import { insertRow, type Queryable } from '@firn/sql'
 *
 * declare const store: Queryable
 * await insertRow(store, 'city', { id: 1n, name: 'Bern' })
 * ```
 */
export async function insertRow(store: Queryable, table: string, row: object): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(row))
  await fetchRows(store, sql`insert into ${sql.table(table)} (${columns}) values (${values})`)
}
