import { CopyRows } from './internal/CopyRows.ts'
import type { CopyColumn } from './Table.ts'

/** A table with rows of type `Row`. */
export interface CopyTarget<Row> {
  readonly columns: { readonly [C in keyof Row]: CopyColumn<Row[C]> }
}

type Field = readonly [name: string, column: { readonly copy: (rows: CopyRows, value: unknown) => void }]

/** Collects rows of one table for COPY. */
export class TableRows<Row> {
  readonly name: string
  /** The table with its columns, in the form that COPY expects. */
  readonly target: string
  readonly #fields: readonly Field[]
  readonly #copy = new CopyRows()
  #count = 0

  constructor(name: string, { columns }: CopyTarget<Row>) {
    this.name = name
    this.target = `${name} (${Object.keys(columns).join(', ')})`
    this.#fields = Object.entries(columns) as Field[]
  }

  /** Number of rows added so far. */
  get count(): number {
    return this.#count
  }

  /** Length in bytes of the rows added so far, for use with {@link since}. */
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

  /** Returns the bytes of the rows after an offset. The view is valid until the next row is added. */
  since(length: number): Uint8Array {
    return this.#copy.since(length)
  }

  /** Returns the data for COPY. No more rows can be added. */
  finish(): Uint8Array {
    return this.#copy.finish()
  }
}
