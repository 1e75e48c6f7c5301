/**
 * Declarations of tables and their columns, from which row types, COPY and DDL are derived.
 *
 * @packageDocumentation
 */
import type { ChainAlias } from '@firn/codec'
import type { CopyRows } from './internal/CopyRows.ts'

declare const VALUE: unique symbol

/** A column of a table with values of type `Value`. */
export interface Column<Value = unknown> {
  /** SQL type of the column. */
  readonly type: string
  readonly isNullable: boolean
  /** SQL expression of the default value. */
  readonly default?: string
  /**
   * Whether long values are stored uncompressed. Compressing hashes and signatures costs time and saves no
   * space.
   */
  readonly isUncompressed?: boolean
  readonly [VALUE]?: Value
}

/** A column that COPY can write. */
export interface CopyColumn<Value = unknown> extends Column<Value> {
  /** Writes a value that is not null. */
  readonly copy: (rows: CopyRows, value: never) => void
}

type Columns = Readonly<Record<string, Column>>

/**
 * A table. Its row type, its COPY columns and its DDL are derived from this description. `Name` is the union
 * of the column names.
 */
export interface Table<C extends Columns = Columns, Name extends string = string> {
  /** Columns of the table, in the order in which rows are copied and digested. */
  readonly columns: C
  readonly primaryKey?: readonly Name[]
  /** Definitions of the indexes: the SQL after `create index on <table>`. */
  readonly indexes?: readonly string[]
  readonly uniqueIndexes?: readonly string[]
  /** Indexes that exist only on the partition of one chain. */
  readonly chainIndexes?: { readonly [chain in ChainAlias]?: readonly string[] }
  /**
   * Columns to partition by. The last one is `height`, which is partitioned by ranges. If a chain column
   * comes first, each chain has its own partitions.
   */
  readonly partitionBy?: readonly ['height'] | readonly [chain: Name, height: 'height']
  /** Storage parameters, such as `fillfactor = 80`. */
  readonly parameters?: string
}

/** Tables by their names. */
export type Tables = Readonly<Record<string, Table>>

/** The row type of a table. */
export type RowOf<T extends Table> = {
  -readonly [C in keyof T['columns']]: T['columns'][C] extends Column<infer Value> ? Value : never
}

/** The row types of several tables by name, in the form that kysely expects. */
export type RowsOf<T extends Tables> = { readonly [Name in keyof T]: RowOf<T[Name]> }

/**
 * Declares a table.
 * @example
 * ```ts
 * import { int8, type RowOf, table, text } from '@firn/sql/table'
 *
 * const city = table({ columns: { id: int8, name: text }, primaryKey: ['id'] })
 * const row: RowOf<typeof city> = { id: 1n, name: 'Bern' }
 * ```
 */
export function table<C extends Columns>(declaration: Table<C, keyof C & string>): Table<C> {
  return declaration
}

/**
 * Returns the names of the tables that are partitioned by height.
 * @example
 * ```ts
 * import { int8, partitioned, table } from '@firn/sql/table'
 *
 * partitioned({ block: table({ columns: { height: int8 }, partitionBy: ['height'] }) }) // ['block']
 * ```
 */
export function partitioned(tables: Tables): string[] {
  return Object.keys(tables).filter((name) => tables[name]?.partitionBy !== undefined)
}

const column = <Value>(
  type: string,
  copy: (rows: CopyRows, value: NonNullable<Value>) => void,
): CopyColumn<Value> => ({ type, isNullable: false, copy })

export const bytea = column<Uint8Array>('bytea', (rows, value) => rows.bytea(value))
export const byteas = column<Uint8Array[]>('bytea[]', (rows, value) => rows.byteas(value))
export const text = column<string>('text', (rows, value) => rows.text(value))
export const bool = column<boolean>('boolean', (rows, value) => rows.bool(value))
export const int4 = column<number>('int', (rows, value) => rows.int4(value))
export const int8 = column<bigint>('bigint', (rows, value) => rows.int8(value))
/** Column type of integers of any size. */
export const numeric = column<bigint>('numeric', (rows, value) => rows.numeric(value))
/** Column type of unsigned 64-bit numbers. */
export const uint64: CopyColumn<bigint> = { ...numeric, type: 'numeric(20)' }
export const float8: Column<number> = { type: 'double precision', isNullable: false }
export const texts: Column<string[]> = { type: 'text[]', isNullable: false }
export const jsonb: Column<unknown> = { type: 'jsonb', isNullable: false }
export const timestamptz: Column<Date> = { type: 'timestamptz', isNullable: false }

/**
 * Returns the column type of strings that must be one of the given values.
 * @example
 * ```ts
 * import { oneOf, table } from '@firn/sql/table'
 *
 * const light = table({ columns: { color: oneOf('red', 'green') } })
 * ```
 */
export function oneOf<const Value extends string>(..._values: readonly Value[]): CopyColumn<Value> {
  return text as CopyColumn<Value>
}

/**
 * Returns the same column type, but nullable.
 * @example
 * ```ts
 * import { int8, nullable, table } from '@firn/sql/table'
 *
 * const staker = table({ columns: { since: int8, until: nullable(int8) } })
 * ```
 */
export function nullable<Value>(column: CopyColumn<Value>): CopyColumn<Value | null>
export function nullable<Value>(column: Column<Value>): Column<Value | null>
export function nullable(column: Column): Column {
  return { ...column, isNullable: true }
}

/**
 * Returns the same column type, but its long values are not compressed.
 * @example
 * ```ts
 * import { bytea, table, uncompressed } from '@firn/sql/table'
 *
 * const block = table({ columns: { bytes: uncompressed(bytea) } })
 * ```
 */
export function uncompressed<C extends Column>(column: C): C {
  return { ...column, isUncompressed: true }
}

/**
 * Returns the same column type with a default value, which is an SQL expression.
 * @example
 * ```ts
 * import { table, timestamptz, withDefault } from '@firn/sql/table'
 *
 * const job = table({ columns: { created_at: withDefault(timestamptz, 'clock_timestamp()') } })
 * ```
 */
export function withDefault<C extends Column>(column: C, expression: string): C {
  return { ...column, default: expression }
}
