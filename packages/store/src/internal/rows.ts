import { CopyRows } from './CopyRows.ts'
import type { CopyColumn } from './Table.ts'

/** A table whose rows are `Row`s. */
export interface CopyTarget<Row> {
  readonly columns: { readonly [C in keyof Row]: CopyColumn<Row[C]> }
}

type Field = readonly [name: string, column: { readonly copy: (rows: CopyRows, value: unknown) => void }]

/** Rows of one table, to be copied into it. */
export class TableRows<Row> {
  /** The table with its columns, as COPY names them. */
  readonly target: string
  readonly #fields: readonly Field[]
  readonly #copy = new CopyRows()
  #count = 0

  constructor(name: string, { columns }: CopyTarget<Row>) {
    this.target = `${name} (${Object.keys(columns).join(', ')})`
    this.#fields = Object.entries(columns) as unknown as Field[]
  }

  /** The number of rows. */
  get count(): number {
    return this.#count
  }

  /** The length in bytes of the rows so far, for {@link since}. */
  get length(): number {
    return this.#copy.length
  }

  add(row: Row): void {
    const copy = this.#copy
    copy.row(this.#fields.length)
    for (const [name, column] of this.#fields) {
      const value = row[name as keyof Row]
      if (value === null) copy.null()
      else column.copy(copy, value)
    }
    this.#count++
  }

  /** The bytes of the rows after a length. Valid until the next row. */
  since(length: number): Uint8Array {
    return this.#copy.since(length)
  }

  /** Returns what to copy; no more rows can be added. */
  finish(): Uint8Array {
    return this.#copy.finish()
  }
}
