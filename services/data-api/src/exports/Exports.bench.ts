import { silentLogger, systemClock } from '@firn/runtime'
import { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { TestPostgres } from '@firn/sql/testing'
import { createExports } from './Exports.ts'
import { TRANSACTION_COLUMNS, type TransactionRow } from './evmFeeds.ts'
import { FORMATS, type FormatName } from './Format.ts'
import type { Source } from './Table.ts'

const ROWS = Number(process.env['FIRN_BENCH_ROWS'] ?? 1_000_000)
const hash = new Uint8Array(32)

/** Rows of one busy day. They are made up, so the time to read a database is not included. */
const source: Source<TransactionRow> = {
  columns: TRANSACTION_COLUMNS,
  read: async (from, limit) => {
    const start = Number(from ?? 0)
    const end = Math.min(ROWS, start + limit)
    const rows = Array.from({ length: end - start }, (_, i) => rowOf(start + i))
    return { rows, timeOf: ({ time }) => time, next: end < ROWS ? end : undefined }
  },
}

function rowOf(i: number): TransactionRow {
  const own = hash.slice()
  new DataView(own.buffer).setUint32(0, Math.imul(i, 2_654_435_761))
  return {
    chainId: 43_114n,
    height: 70_000_000n + BigInt(i >> 6),
    index: i & 63,
    blockHash: hash,
    time: 1_790_000_000n + BigInt(i >> 7),
    timeMilliseconds: null,
    minDelayExcess: null,
    hash: own,
    type: 2,
    sender: own.subarray(0, 20),
    recipient: own.subarray(0, 20),
    nonce: BigInt(i),
    value: BigInt(i) * 10n ** 12n,
    selector: own.subarray(0, 4),
    gasLimit: 90_000n,
    gasUsed: 48_211n,
    gasPrice: 25_000_000_000n,
    succeeded: true,
  }
}

/**
 * Prints how fast rows are written in each format, and the memory that it takes. Rows are made up, so the time to read them from a
 * database is not included.
 */
export async function report(print: (text: string) => void): Promise<void> {
  print(`an export of ${ROWS} transactions; rows are made up, parts are stored in a database`)
  const embedded = await openUsage()
  for (const format of FORMATS) print(await measure('PGlite in memory', embedded, format))
  await embedded.close()
  const reason = TestPostgres.missing()
  if (reason !== undefined) return print(`PostgreSQL: ${reason}`)
  const server = await TestPostgres.startForBench()
  const store = await UsageStore.open({ url: server.url })
  await store.migrate()
  for (const format of FORMATS) print(await measure('PostgreSQL', store, format))
  await store.close()
  await server.close()
}

async function measure(name: string, store: UsageStore, format: FormatName): Promise<string> {
  const own = { maxRows: ROWS, maxBytes: 2 ** 40 }
  const limits = { anonymous: own, keyed: own, maxBytes: 2 ** 40, maxPerCaller: 1, retentionMs: 60_000 }
  const common = { clock: systemClock, random: Math.random, log: silentLogger, limits }
  const exports = createExports({ ...common, store, sourceOf: async () => source as Source<unknown> })
  const owner = { key: undefined, limits: [{ key: 'bench', factor: 1 }], isAnonymous: false } as const
  const selection = { from: undefined, until: undefined, addresses: [], chains: [] }
  const started = performance.now()
  const { id } = await exports.start(
    { type: 'TRANSACTION_EXPORT_EVM', format, contents: 'transactions', ...selection },
    owner,
  )
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  let peak = before
  for (;;) {
    await systemClock.sleep(50)
    peak = Math.max(peak, process.memoryUsage.rss())
    const { status, bytes, rows } = await exports.get(id, owner)
    if (status === 'RUNNING') continue
    const seconds = (performance.now() - started) / 1_000
    await exports.close()
    const { user, system } = process.cpuUsage(cpu)
    const speed = `${Math.round(rows / seconds)} rows/s, ${Math.round(bytes / 1e6 / seconds)} MB/s, ${((user + system) / 1e6).toFixed(1)} s of CPU`
    return `${name}, ${format}: ${status}, ${rows} rows, ${Math.round(bytes / 1e6)} MB, ${speed}, memory ${Math.round(before / 1e6)} MB, ${Math.round(peak / 1e6)} MB at its peak`
  }
}
