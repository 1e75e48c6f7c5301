import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EvmStore } from '@firn/evm-store'
import { TestPostgres } from '@firn/sql/testing'
import { temporaryFolder } from '../testing/archives.ts'
import { createEvmNode } from '../testing/EvmNode.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { startProcess } from '../testing/evmProcess.ts'
import { databaseSeconds } from '../testing/processorTime.ts'
import { CHAIN_ID, openTarget, startIndexer } from '../testing/reliability.ts'
import { token } from '../testing/reliableToken.ts'
import { extend } from '../testing/transferChain.ts'

/** Numbers of blocks in the chains. Memory use must not grow with the number of blocks. */
const BLOCKS = (process.env['FIRN_BENCH_EVM_BLOCKS'] ?? '1000,3000').split(',').map(Number)
/** Databases to measure, such as `PostgreSQL` and `PGlite`. */
const DATABASES = (process.env['FIRN_BENCH_DATABASES'] ?? 'PostgreSQL,PGlite').split(',')
/** Options of Node.js for the process that indexes, such as `--cpu-prof`. */
const NODE_OPTIONS = (process.env['FIRN_BENCH_NODE_OPTIONS'] ?? '')
  .split(' ')
  .filter((option) => option !== '')
/** Data that is stored in addition to the blocks and their consequences, and when indexes are built. Balances are not checked. */
const EXTRAS = [
  { title: 'without logs', withLogs: false, buildsIndexesLater: false },
  { title: 'with logs', withLogs: true, buildsIndexesLater: false },
  { title: 'with logs, indexes at the end', withLogs: true, buildsIndexesLater: true },
]
/** Milliseconds between blocks at the head, each with the number of blocks to index at this pace. */
const PACES = [
  [50, 160],
  [200, 60],
  [1_000, 20],
] as const
const NODE = fileURLToPath(new URL('../testing/evmNodeChild.ts', import.meta.url))
const TRANSACTIONS = 50
const TRANSFERS = 40

/**
 * Measures the indexing of chains from a node in another process. Prints the rate, processor times, memory and disk
 * use of a backfill, and the latency at the head.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const reason = TestPostgres.missing()
  const names = DATABASES.filter((name) => name !== 'PostgreSQL' || reason === undefined)
  print('EVM blocks of 50 transactions with 40 ERC-20 transfers, with receipts and traces, fetched over HTTP')
  if (reason !== undefined) print(`PostgreSQL: ${reason}`)
  for (const blocks of BLOCKS) {
    const node = await startNode(blocks)
    try {
      for (const extra of EXTRAS) {
        for (const name of names) {
          const backfill = { node: node.url, blocks, ...extra }
          print(name === 'PGlite' ? await onPGlite(backfill) : await onPostgres(backfill))
        }
      }
    } finally {
      node.child.stdin?.end()
    }
  }
  if (names.includes('PostgreSQL')) {
    const server = await TestPostgres.startForBench(SETTINGS)
    for (const [ms, count] of PACES) print(await latency(server.url, ms, count))
    await server.close()
  }
}

/** A chain to index from the beginning. */
interface Backfill {
  /** URL of the node. */
  readonly node: string
  readonly blocks: number
  readonly title: string
  readonly withLogs: boolean
  readonly buildsIndexesLater: boolean
}

const SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB']

async function onPostgres(backfill: Backfill): Promise<string> {
  const server = await TestPostgres.startForBench(SETTINGS)
  try {
    const before = databaseSeconds()
    const measured = await index({ url: server.url }, backfill)
    const database = databaseSeconds() - before
    return `PostgreSQL, ${format(backfill, measured)}, server ${database.toFixed(1)} s\n${await sizes(server.url, backfill)}`
  } finally {
    await server.close()
  }
}

async function onPGlite(backfill: Backfill): Promise<string> {
  const { folder, remove } = temporaryFolder()
  try {
    return `PGlite, ${format(backfill, await index({ folder: join(folder, 'db') }, backfill))}`
  } finally {
    remove()
  }
}

async function startNode(blocks: number): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--conditions=source', NODE, `${blocks}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new RangeError('the node process has no standard output')
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url, child }
}

interface Measured {
  readonly seconds: number
  readonly peakMiB: number
  readonly cpuSeconds: number
}

async function index(
  at: { readonly url?: string; readonly folder?: string },
  { node, withLogs, buildsIndexesLater }: Backfill,
): Promise<Measured> {
  const chain = { schema: SCHEMA, chainId: Number(CHAIN_ID), upstreams: [node], withLogs, buildsIndexesLater }
  const settings = { once: true }
  const indexer = startProcess({ ...at, ...chain, checksBalances: false, settings }, NODE_OPTIONS)
  await indexer.ended
  if (indexer.errors() !== '') throw new RangeError(indexer.errors())
  return JSON.parse(indexer.lastLine()) as Measured
}

function format({ title, blocks }: Backfill, { seconds, peakMiB, cpuSeconds }: Measured): string {
  const rate = blocks / seconds
  return [
    `${blocks} blocks ${title}: ${rate.toFixed(0)} blocks/s`,
    `${(rate * TRANSFERS).toFixed(0)} transfers/s`,
    `peak ${peakMiB.toFixed(0)} MiB`,
    `processor time: indexer ${cpuSeconds.toFixed(1)} s`,
  ].join(', ')
}

const SCHEMA = 'bench'

/** Returns the disk use of the tables and indexes, in bytes per transaction of the chain. */
async function sizes(url: string, { blocks }: Backfill): Promise<string> {
  const store = await EvmStore.open({ url, schema: SCHEMA, chainId: CHAIN_ID })
  try {
    const rows = await store.driver.transaction((session) => session.query(SIZES, [SCHEMA]))
    const each = (bytes: unknown) => Number(bytes) / blocks / TRANSACTIONS
    const total = rows.reduce((sum, row) => sum + each(row['bytes']), 0)
    const shown = rows.filter((row) => each(row['bytes']) >= 1)
    const lines = shown.map((row) => `  ${each(row['bytes']).toFixed(0).padStart(5)} ${row['name']}`)
    return [`  ${total.toFixed(0).padStart(5)} bytes on disk for each transaction`, ...lines].join('\n')
  } finally {
    await store.close()
  }
}

/** The size of each table and index. Partitions are added up. */
const SIZES = `select regexp_replace(relname, '_[0-9]+(_|$)', '\\1') || case relkind when 'i' then ' (index)' else '' end as name,
    sum(pg_relation_size(oid, 'main') + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0)) as bytes
  from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'i')
  group by 1 order by 2 desc`

async function latency(url: string, blockMs: number, count: number): Promise<string> {
  const target = await openTarget(url)
  let blocks: readonly NodeBlock[] = extend([], 5, { name: 'head' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call: token })
  const indexer = startIndexer(target, [node.wsUrl])
  while (node.subscriptions() === 0 || (await target.height()) < 4) await setTimeout(10)
  const latencies: number[] = []
  for (let i = 0; i < count; i++) {
    const next = extend(blocks, 1, { name: 'head', transactions: 50, transfers: TRANSFERS })
    blocks = next
    const since = performance.now()
    node.publish(blocks)
    while ((await target.height()) < blocks.length - 1) await setTimeout(1)
    latencies.push(performance.now() - since)
    await setTimeout(Math.max(blockMs - (performance.now() - since), 0))
  }
  await indexer.end('SIGTERM')
  await node.close()
  await target.close()
  latencies.sort((a, b) => a - b)
  const at = (part: number) => (latencies[Math.floor(latencies.length * part)] ?? 0).toFixed(0)
  return `PostgreSQL, a block every ${blockMs} ms: time from publication until readable p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
