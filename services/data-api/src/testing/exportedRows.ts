import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { zstdDecompressSync } from 'node:zlib'
import type { EvmStore } from '@firn/evm-store'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { TRANSACTION_COLUMNS } from '../exports/evmFeeds.ts'
import type { FormatName } from '../exports/Format.ts'

/** Number of rows, and a checksum of them that does not depend on their order. For tests only. */
export interface Sum {
  readonly rows: number
  readonly checksum: string
}

const NAMES = TRANSACTION_COLUMNS.map(({ name }) => name)

/** Reads the lines of an exported file of transactions, each as in CSV without quotes. For tests only. */
const READERS: Readonly<Record<FormatName, (path: string) => AsyncIterable<string>>> = {
  async *csv(path) {
    let isHeader = true
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (!isHeader) yield line
      else if (line !== NAMES.join(',')) throw new RangeError(`unexpected header ${line}`)
      isHeader = false
    }
  },
  async *jsonl(path) {
    for await (const line of createInterface({ input: createReadStream(path) }))
      yield lineOf(JSON.parse(line))
  },
  async *parquet(path) {
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      for (const row of await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }))
        yield lineOf(row)
      rowStart = rowEnd
    }
  },
}

function lineOf(row: Readonly<Record<string, unknown>>): string {
  return NAMES.map((name) => String(row[name] ?? '')).join(',')
}

/**
 * Returns the number and the checksum of the rows of an exported file of transactions. For tests only.
 * @throws RangeError if the rows are not in the order of the chain
 */
export async function sumOfFile(path: string, format: FormatName): Promise<Sum> {
  let [rows, sum, before] = [0, 0n, -1]
  for await (const line of READERS[format](path)) {
    const cells = line.split(',')
    const place = Number(cells[1]) * 1e6 + Number(cells[4])
    if (place <= before) throw new RangeError(`row ${rows} is not in order: ${line}`)
    before = place
    rows++
    sum += BigInt(`0x${createHash('md5').update(line).digest('hex').slice(0, 15)}`)
  }
  return { rows, checksum: String(sum) }
}

/** Returns the same of the transactions of a chain on PostgreSQL, whose server builds the lines. For tests only. */
export async function sumOfTable({ driver, chainId }: EvmStore): Promise<Sum> {
  const hex = (column: string) => `'0x' || encode(${column}, 'hex')`
  const cells = [
    ...[`'${chainId}'`, 'b.height', 'b.time', hex('b.hash'), 't.transaction_index', hex('t.hash')],
    ...[`case when t.succeeded then 'true' else 'false' end`, 't.type', 't.nonce', hex('t.sender')],
    ...[`coalesce(${hex('t.recipient')}, '')`, 't.value'],
    `case when length(t.selector) = 0 then '' else ${hex('t.selector')} end`,
    ...['t.gas_limit', 't.gas_used', 't.gas_price', 't.gas_used * t.gas_price'],
  ]
  const [row] = await driver.transaction((session) =>
    session.query(`select count(*) as rows, sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint::numeric)::text as checksum
      from (select concat_ws(',', ${cells.join(', ')}) as line from transaction as t join block as b using (height)) as lines`),
  )
  return { rows: Number(row?.['rows']), checksum: String(row?.['checksum']) }
}
