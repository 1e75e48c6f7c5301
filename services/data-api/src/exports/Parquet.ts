import { zstdCompressSync } from 'node:zlib'
import type { RowGroup, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Encoded, Format } from './Format.ts'
import type { Column } from './Table.ts'

/**
 * Creates the format Apache Parquet. Each part is a row group. The end of a file describes all of them, so a part's
 * description is its summary.
 */
export function createParquet(): Format {
  return {
    contentType: 'application/vnd.apache.parquet',
    encode<Row>(columns: readonly Column<Row>[], rows: readonly Row[], offset: number): Encoded {
      const { writer, file } = at(columns, offset)
      const columnData = columns.map(({ name, type, of }) => ({
        name,
        data: rows.map((row) => {
          const value = of(row)
          return type === 'integer' && value !== undefined ? BigInt(value) : value
        }),
        // Indexes of pages would have to be written at the end of the file.
        offsetIndex: false,
      }))
      file.write({ columnData, rowGroupSize: Math.max(1, rows.length) })
      return { bytes: writer.getBytes().slice(), summary: toText(file.row_groups) }
    },
    end(columns, offset, summaries) {
      const { writer, file } = at(columns, offset)
      file.row_groups = summaries.flatMap(fromText)
      file.num_rows = file.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n)
      file.finish()
      return writer.getBytes().slice()
    },
  }
}

/** Returns a writer of a file whose first `offset` bytes are already written. */
function at(columns: readonly Column<never>[], offset: number) {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    createdBy: 'firn',
  })
  // The writer has begun with the magic number, which only the start of the file has.
  if (offset > 0) Object.assign(writer, { index: 0, offset })
  return { writer, file }
}

function schemaOf(columns: readonly Column<never>[]): SchemaElement[] {
  const elements = columns.map(({ name, type }): SchemaElement => {
    const element = { name, repetition_type: 'OPTIONAL' } as const
    if (type === 'text') return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    return { ...element, type: type === 'integer' ? 'INT64' : 'BOOLEAN' }
  })
  return [{ name: 'root', num_children: elements.length }, ...elements]
}

/** Converts row groups to JSON. Integers of 64 bits become objects. */
function toText(groups: readonly RowGroup[]): string {
  return JSON.stringify(groups, (_name, value) =>
    typeof value === 'bigint' ? { big: String(value) } : value,
  )
}

function fromText(text: string): RowGroup[] {
  return JSON.parse(text, (_name, value) =>
    typeof value === 'object' && value !== null && 'big' in value ? BigInt(value.big) : value,
  )
}
