import { CHAIN_ALIASES } from '@firn/codec'
import type { Column, Table } from './Table.ts'

/**
 * Returns the SQL statements that create a table as declared, with its indexes and the partitions of its chains. The
 * migrations are SQL files; tests compare the tables that the migrations create with the tables that these statements
 * create.
 * @example
 * ```ts
 * import { createStatements } from '@firn/sql'
 * import { int8, table, text } from '@firn/sql/table'
 *
 * createStatements('city', table({ columns: { id: int8, name: text }, primaryKey: ['id'] }))
 * // ['create table city (id bigint not null, name text not null, primary key (id))']
 * ```
 */
export function createStatements(name: string, table: Table): string[] {
  const { columns, primaryKey, parameters, partitionBy, chainIndexes = {} } = table
  const parts = Object.entries(columns).map(([column, declared]) => columnDefinition(column, declared))
  if (primaryKey !== undefined) parts.push(`primary key (${primaryKey.join(', ')})`)
  const storage = parameters === undefined ? '' : ` with (${parameters})`
  const [first, second] = partitionBy ?? []
  const partition =
    first === undefined ? '' : ` partition by ${second === undefined ? 'range' : 'list'} (${first})`
  const partitions = second === undefined ? [] : CHAIN_ALIASES.map((chain) => chainPartition(name, chain))
  return [
    `create table ${name} (${parts.join(', ')})${partition}${storage}`,
    ...storageStatements(name, columns),
    ...partitions,
    ...indexStatements(name, table),
    ...CHAIN_ALIASES.flatMap((chain) =>
      (chainIndexes[chain] ?? []).map((index) => `create index on ${name}_${chain.toLowerCase()} ${index}`),
    ),
  ]
}

/**
 * Returns the definition of a column for `create table` and `add column`.
 * @example
 * ```ts
 * import { columnDefinition } from '@firn/sql'
 * import { int8 } from '@firn/sql/table'
 *
 * columnDefinition('height', int8) // 'height bigint not null'
 * ```
 */
export function columnDefinition(name: string, { type, isNullable, default: value }: Column): string {
  return `${name} ${type}${isNullable ? '' : ' not null'}${value === undefined ? '' : ` default ${value}`}`
}

function storageStatements(name: string, columns: Table['columns']): string[] {
  return Object.entries(columns)
    .filter(([, { isUncompressed }]) => isUncompressed)
    .map(([column]) => `alter table ${name} alter column ${column} set storage external`)
}

function chainPartition(name: string, chain: string): string {
  return `create table ${name}_${chain.toLowerCase()} partition of ${name} for values in ('${chain}') partition by range (height)`
}

function indexStatements(name: string, { indexes = [], uniqueIndexes = [] }: Table): string[] {
  return [
    ...uniqueIndexes.map((index) => `create unique index on ${name} ${index}`),
    ...indexes.map((index) => `create index on ${name} ${index}`),
  ]
}
