/** Value of a cell; undefined if a row has none. Amounts are decimal text, because they exceed 64 bits. */
export type Cell = string | bigint | number | boolean | undefined

/** A column of an exported table. */
export interface Column<Row> {
  readonly name: string
  readonly type: 'text' | 'integer' | 'boolean'
  of(row: Row): Cell
}

/** Rows of a table, in the order of the file, and what is needed to go on after the last one. */
export interface Read<Row> {
  readonly rows: readonly Row[]
  /** Time of each row in Unix seconds. It never decreases. */
  timeOf(row: Row): bigint
  /** Where to go on, as JSON; undefined if there are no more rows. */
  readonly next: unknown
}

/** A table that is read from its oldest to its newest row. */
export interface Source<Row> {
  readonly columns: readonly Column<Row>[]
  /**
   * Reads about `limit` rows from a place that an earlier read returned, or from the beginning.
   * @throws StaleExport if rows that were already read have been replaced
   */
  read(from: unknown, limit: number, signal: AbortSignal): Promise<Read<Row>>
}

/** Thrown if a reorg has replaced blocks whose rows were already read, so that an export must start again. */
export class StaleExport extends Error {
  override readonly name = 'StaleExport'
}
