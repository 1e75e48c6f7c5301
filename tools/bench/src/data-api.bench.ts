// Measures the Data API in a separate process with 32 connections, for a ledger of configurable length.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'
import { Store } from '@firn/store'
import { LISTS, pagesOf, singles } from './DataApiLists.ts'
import { type Plans, plansOf } from './DataApiPlans.ts'
import { fill } from './Ledger.ts'
import * as Load from './Load.ts'
import * as Process from './Process.ts'
import * as Table from './Table.ts'

const SERVICE = resolve(import.meta.dirname, 'serveDataApi.ts')
const CONNECTIONS = 32
const TRANSACTIONS = Number(process.env['FIRN_BENCH_TRANSACTIONS'] ?? 100_000)
/**
 * Number of transactions of the ledger in PGlite. It is limited, because PGlite is meant for small
 * deployments.
 */
const EMBEDDED = Math.min(TRANSACTIONS, 100_000)
const MILLISECONDS = Number(process.env['FIRN_BENCH_MS'] ?? 2_000)
const WARM_UP_MS = 500
/** File to which the results are written as JSON, with the SQL statements and their query plans. */
const REPORT = process.env['FIRN_BENCH_REPORT']
/** URL of a PostgreSQL database that keeps ledgers between runs. Defaults to a temporary database. */
const KEPT = process.env['FIRN_BENCH_DATABASE_URL']

/** Response times and rates of one request path under load. Times are in milliseconds. */
interface Figures extends Omit<Load.Measured, 'sample'> {
  /**
   * Processor time of the service per response, in milliseconds. It depends less on other load on the machine
   * than the response times do.
   */
  readonly cpu: number
  readonly bytes: number
}

/**
 * Results for a request: the first and the hundredth page without the response cache, and the first page with
 * it.
 */
interface Row {
  readonly title: string
  readonly path: string
  readonly first: Figures | undefined
  readonly hundredth: Figures | undefined
  readonly kept?: Figures | undefined
}

/** Results for one database. */
interface Section {
  readonly database: string
  readonly transactions: number
  readonly connections: number
  readonly rows: readonly Row[]
}

export async function report(print: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-bench-'))
  const sections: Section[] = []
  const tell = (database: string, transactions: number, { rows, plans }: Outcome) => {
    print(format(database, transactions, rows))
    const withPlans = rows.map((row) => ({ ...row, statements: plans?.get(row.path) }))
    sections.push({ database, transactions, connections: CONNECTIONS, rows: withPlans })
    if (REPORT !== undefined) writeFileSync(REPORT, `${JSON.stringify(sections, undefined, 2)}\n`)
  }
  try {
    const reason = KEPT === undefined ? TestPostgres.missing() : undefined
    if (reason === undefined) tell('PostgreSQL', TRANSACTIONS, await onPostgres())
    else print(`The Data API on PostgreSQL: ${reason}`)
    if (KEPT === undefined) tell('PGlite', EMBEDDED, await onPGlite(join(folder, 'db')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function format(database: string, transactions: number, rows: readonly Row[]): string {
  const each = ['/s', 'p50', 'p99', 'cpu']
  const head = ['', 'cold', ...each, 'page 100', ...each, 'kept', ...each, 'bytes']
  const title = `The Data API on ${database}, ${transactions.toLocaleString('en')} P-chain transactions, ${CONNECTIONS} connections`
  const lines = rows.map(({ title, first, hundredth, kept }) => [
    title,
    ...[first, hundredth, kept].flatMap((figures) => ['', ...cells(figures)]),
    String(first?.bytes ?? ''),
  ])
  return `${title}; the load was generated on the same machine\n${Table.format(head, lines)}`
}

function cells(figures: Figures | undefined): string[] {
  if (figures === undefined) return ['', '', '', '']
  const { perSecond, ...times } = figures
  const texts = [times.p50, times.p99, times.cpu].map(Table.formatTime)
  return [Math.round(perSecond).toLocaleString('en'), ...texts]
}

interface Outcome {
  readonly rows: readonly Row[]
  readonly plans: Plans | undefined
}

async function onPostgres(): Promise<Outcome> {
  const settings = ['fsync=off', 'shared_buffers=512MB', 'max_wal_size=4GB']
  const server =
    KEPT === undefined
      ? await TestPostgres.startForBench(settings)
      : { url: KEPT, close: async () => undefined }
  const schema = `bench_${TRANSACTIONS}`
  try {
    const plans = await prepare(await Store.open({ url: server.url, schema }), TRANSACTIONS)
    return { plans, rows: await measure(server.url, schema) }
  } finally {
    await server.close()
  }
}

async function onPGlite(folder: string): Promise<Outcome> {
  const schema = 'bench'
  const plans = await prepare(await Store.open({ folder, schema }), EMBEDDED)
  return { plans, rows: await measure(folder, schema) }
}

/** Fills an empty store, returns the query plans if requested, and closes the store. */
async function prepare(store: Store, transactions: number): Promise<Plans | undefined> {
  try {
    await store.migrate()
    if ((await store.network()) === undefined) {
      await fill(store, transactions)
      // The test queries need table statistics, which a server that has run for a while would have.
      await store.driver.transaction((session) => session.query('analyze'))
    }
    return REPORT === undefined ? undefined : await plansOf(store)
  } finally {
    await store.close()
  }
}

async function measure(database: string, schema: string): Promise<Row[]> {
  const cold = await serve(database, schema, 'cold', async (url) => {
    const rows: Row[] = []
    for (const [title, path] of [...LISTS, ...(await singles(url))]) {
      const { first, hundredth } = await pagesOf(url, path)
      const figures = { first: await load(url, first), hundredth: await load(url, hundredth) }
      rows.push({ title, path, ...figures })
    }
    return rows
  })
  return serve(database, schema, 'warm', async (url) => {
    const rows: Row[] = []
    for (const row of cold) rows.push({ ...row, kept: await load(url, row.path) })
    return rows
  })
}

async function serve(
  database: string,
  schema: string,
  keeps: 'cold' | 'warm',
  work: (url: string) => Promise<Row[]>,
): Promise<Row[]> {
  const args = [database, schema, keeps]
  const service = await Process.start(SERVICE, args, (line) => line.includes('listens on'))
  try {
    return await work(/http:\S+/.exec(service.readyLine)?.[0] ?? '')
  } finally {
    await service.close()
  }
}

/**
 * Load-tests an endpoint. Returns undefined if `path` is undefined, or if the service rejects this number of
 * concurrent requests.
 */
async function load(url: string, path: string | undefined): Promise<Figures | undefined> {
  if (path === undefined) return undefined
  const how = { url, requests: [{ path }], connections: CONNECTIONS }
  if (!(await Load.run({ ...how, milliseconds: WARM_UP_MS }).then(() => true, isRefused))) return undefined
  const before = await processorTime(url)
  const { sample, ...measured } = await Load.run({ ...how, milliseconds: MILLISECONDS })
  const cpu = ((await processorTime(url)) - before) / measured.answers
  return { ...measured, cpu, bytes: Buffer.byteLength(sample) }
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof RangeError)) throw error
  return false
}

/** Returns the processor time that the service reports, in milliseconds. */
async function processorTime(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1000
}
