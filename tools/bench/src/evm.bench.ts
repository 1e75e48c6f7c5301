// Measures the EVM endpoints and metrics in a separate process with 32 connections, for a chain of
// configurable length.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EvmStore } from '@firn/evm-store'
import { TestPostgres } from '@firn/sql/testing'
import type { Question } from './DataApiLists.ts'
import type { Plans } from './DataApiPlans.ts'
import { CHAIN, type Filled, fill } from './EvmFilling.ts'
import { pagesOf, questions } from './EvmLists.ts'
import * as EvmNode from './EvmNode.ts'
import { plansOf } from './EvmPlans.ts'
import * as Figures from './Figures.ts'
import * as Process from './Process.ts'
import * as Table from './Table.ts'

const SERVICE = resolve(import.meta.dirname, 'serveEvm.ts')
const ROWS = Number(process.env['FIRN_BENCH_ROWS'] ?? 1_000_000)
/** Number of rows of the chain in PGlite. It is limited, because PGlite is meant for small deployments. */
const EMBEDDED = Math.min(ROWS, 100_000)
const LOAD = { connections: 32, milliseconds: Number(process.env['FIRN_BENCH_MS'] ?? 500) }
/** File to which the results are written as JSON, with the SQL statements and their query plans. */
const REPORT = process.env['FIRN_BENCH_REPORT']
/** URL of a PostgreSQL database that keeps chains between runs. Defaults to a temporary database. */
const KEPT = process.env['FIRN_BENCH_DATABASE_URL']

/**
 * Results for a request: the first and a later page without the response cache, and the first page with it.
 */
interface Row {
  readonly title: string
  readonly path: string
  readonly first: Figures.Figures
  readonly deep: Figures.Figures | undefined
  readonly kept?: Figures.Figures
}

/** Results for one database, with the filling time if this run filled the database. */
interface Section {
  readonly database: string
  readonly count: number
  readonly filled: Filled | undefined
  readonly rows: readonly Row[]
}

export async function report(print: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-bench-'))
  const sections: Section[] = []
  const node = await EvmNode.start()
  const on = async (name: string, where: { url: string } | { folder: string }, count: number) => {
    const schema = `bench_evm_${count}`
    const { filled, plans } = await prepare({ ...where, schema, chainId: CHAIN.chainId }, node.url, count)
    if (filled !== undefined) print(formatFilled(name, count, filled))
    const database = 'url' in where ? where.url : where.folder
    const rows = await measure([database, schema, node.url], count)
    print(format(name, count, rows))
    const withPlans = rows.map((row) => ({ ...row, statements: plans?.get(row.path) }))
    sections.push({ database: name, count, filled, rows: withPlans })
    if (REPORT !== undefined) writeFileSync(REPORT, `${JSON.stringify(sections, undefined, 2)}\n`)
  }
  try {
    const reason = KEPT === undefined ? TestPostgres.missing() : undefined
    if (KEPT !== undefined) await on('PostgreSQL', { url: KEPT }, ROWS)
    else if (reason === undefined) await onServer((url) => on('PostgreSQL', { url }, ROWS))
    else print(`The EVM endpoints on PostgreSQL: ${reason}`)
    if (KEPT === undefined) await on('PGlite', { folder: join(folder, 'db') }, EMBEDDED)
  } finally {
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onServer(work: (url: string) => Promise<void>): Promise<void> {
  const server = await TestPostgres.startForBench(['fsync=off', 'shared_buffers=512MB', 'max_wal_size=4GB'])
  try {
    await work(server.url)
  } finally {
    await server.close()
  }
}

function formatFilled(database: string, count: number, { blocks, seconds, memory }: Filled): string {
  const a = (number: number) => Math.round(number / seconds).toLocaleString('en')
  const mebibytes = Math.round(memory / 2 ** 20)
  return `${database} filled with ${count.toLocaleString('en')} rows: ${a(blocks)} blocks/s, ${a(count)} rows/s, at most ${mebibytes} MiB`
}

function format(database: string, count: number, rows: readonly Row[]): string {
  const each = ['/s', 'p50', 'p99', 'cpu']
  const head = ['', 'cold', ...each, 'deep', ...each, 'kept', ...each, 'bytes']
  const title = `The EVM endpoints on ${database}, ${count.toLocaleString('en')} rows, ${LOAD.connections} connections`
  const lines = rows.map(({ title, first, deep, kept }) => [
    title,
    ...[first, deep, kept].flatMap((figures) => ['', ...Figures.cells(figures)]),
    String(first.bytes),
  ])
  return `${title}; the load was generated on the same machine\n${Table.format(head, lines)}`
}

/** Fills an empty store, and returns the query plans if requested. */
async function prepare(
  where: Parameters<typeof EvmStore.open>[0],
  node: string,
  count: number,
): Promise<{ readonly filled: Filled | undefined; readonly plans: Plans | undefined }> {
  const store = await EvmStore.open(where)
  try {
    await store.migrate()
    const filled = (await store.chain()) === undefined ? await fill(store, count) : undefined
    // The test queries need table statistics, which a server that has run for a while would have.
    if (filled !== undefined) await store.driver.transaction((session) => session.query('analyze'))
    return { filled, plans: REPORT === undefined ? undefined : await plansOf(store, node, count) }
  } finally {
    await store.close()
  }
}

async function measure(served: readonly string[], count: number): Promise<Row[]> {
  const cold = await serve([...served, 'cold'], async (url) => {
    const rows: Row[] = []
    for (const [title, path] of await questions(url, count)) rows.push(await ask(url, [title, path]))
    return rows
  })
  return serve([...served, 'warm'], async (url) => {
    const rows: Row[] = []
    for (const row of cold) rows.push({ ...row, kept: await Figures.measure(url, row.path, LOAD) })
    return rows
  })
}

async function ask(url: string, [title, path]: Question): Promise<Row> {
  const { first, deep } = await pagesOf(url, path)
  return {
    title,
    path,
    first: await Figures.measure(url, first, LOAD),
    deep: deep === undefined ? undefined : await Figures.measure(url, deep, LOAD),
  }
}

async function serve(args: readonly string[], work: (url: string) => Promise<Row[]>): Promise<Row[]> {
  const service = await Process.start(SERVICE, args, (line) => line.includes('listens on'))
  try {
    return await work(/http:\S+/.exec(service.readyLine)?.[0] ?? '')
  } finally {
    await service.close()
  }
}
