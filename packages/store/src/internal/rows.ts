import { CopyRows } from './CopyRows.ts'

/** How the columns of a table are copied. */
export type Columns<Row> = {
  readonly [C in keyof Row]: (rows: CopyRows, value: NonNullable<Row[C]>) => void
}

export const bytea = (rows: CopyRows, value: Uint8Array) => rows.bytea(value)
export const byteas = (rows: CopyRows, value: readonly Uint8Array[]) => rows.byteas(value)
export const text = (rows: CopyRows, value: string) => rows.text(value)
export const bool = (rows: CopyRows, value: boolean) => rows.bool(value)
export const int4 = (rows: CopyRows, value: number) => rows.int4(value)
export const int8 = (rows: CopyRows, value: bigint) => rows.int8(value)
export const numeric = (rows: CopyRows, value: bigint) => rows.numeric(value)

type Field = readonly [name: string, write: (rows: CopyRows, value: unknown) => void]

/** Rows of one table, to be copied into it. */
export class TableRows<Row> {
  /** The table with its columns, as COPY names them. */
  readonly target: string
  readonly #fields: readonly Field[]
  readonly #copy = new CopyRows()
  #count = 0

  constructor(table: string, columns: Columns<Row>) {
    this.target = targetOf(table, columns)
    this.#fields = Object.entries(columns) as unknown as Field[]
  }

  /** How many there are. */
  get count(): number {
    return this.#count
  }

  /** The bytes so far, a place to which {@link since} goes back. */
  get length(): number {
    return this.#copy.length
  }

  add(row: Row): void {
    const copy = this.#copy
    copy.row(this.#fields.length)
    for (const [name, write] of this.#fields) {
      const value = row[name as keyof Row]
      if (value === null) copy.null()
      else write(copy, value)
    }
    this.#count++
  }

  /** The bytes of the rows after a place. Good until the next row. */
  since(length: number): Uint8Array {
    return this.#copy.since(length)
  }

  /** What to copy; nothing can be added any more. */
  finish(): Uint8Array {
    return this.#copy.finish()
  }
}

/** A table with its columns, as COPY names them. */
export function targetOf<Row>(table: string, columns: Columns<Row>): string {
  return `${table} (${Object.keys(columns).join(', ')})`
}
