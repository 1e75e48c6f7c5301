// Measures the node API on PostgreSQL in a separate process with 32 connections, with and without the
// response cache.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'
import { Store, schemaOf, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import * as Load from './Load.ts'
import * as Process from './Process.ts'
import * as Table from './Table.ts'

const NODE = resolve(import.meta.dirname, '../../../services/node/src/bin.ts')
const BARE = resolve(import.meta.dirname, 'bareRoute.ts')
const CONNECTIONS = 32
const MILLISECONDS = Number(process.env['FIRN_BENCH_MS'] ?? 3_000)
const WARM_UP_MS = 500

const HEIGHTS = Array.from({ length: 85 }, (_, index) => index + 1)
/** An address of the recorded network that has many UTXOs. */
const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

type Params = Readonly<Record<string, unknown>>

/** Requests with title, path, method and arguments. The variants of the arguments are sent in turn. */
const QUESTIONS: readonly (readonly [string, string, string, (txId: string) => readonly Params[]])[] = [
  ['getBlockByHeight, hex', 'bc/P', 'platform.getBlockByHeight', () => HEIGHTS.map((height) => ({ height }))],
  [
    'getBlockByHeight, json',
    'bc/P',
    'platform.getBlockByHeight',
    () => HEIGHTS.map((height) => ({ height, encoding: 'json' })),
  ],
  ['getCurrentValidators', 'bc/P', 'platform.getCurrentValidators', () => [{}]],
  ['getUTXOs (1,024)', 'bc/P', 'platform.getUTXOs', () => [{ addresses: [`P-${ADDRESS}`], limit: 1024 }]],
  ['avm.getTx, json', 'bc/X', 'avm.getTx', (txId) => [{ txID: txId, encoding: 'json' }]],
  [
    'getContainerRange (80)',
    'index/P/block',
    'index.getContainerRange',
    () => [{ startIndex: 0, numToFetch: 80 }],
  ],
  [
    'getContainerRange (1,024)',
    'index/P/block',
    'index.getContainerRange',
    () => [{ startIndex: 0, numToFetch: 1024 }],
  ],
]

export async function report(print: (text: string) => void): Promise<void> {
  const reason = TestPostgres.missing()
  if (reason !== undefined) return print(`The node API: ${reason}`)
  const server = await TestPostgres.startForBench()
  const folder = mkdtempSync(join(tmpdir(), 'firn-bench-'))
  try {
    await fill(server.url)
    const cold = await measure(server.url, folder, ['--answer-cache-bytes=0'])
    const warm = await measure(server.url, folder, [])
    const rows = QUESTIONS.map(([title], index) => [title, ...cells(cold[index]), ...cells(warm[index])])
    const bare = await measureBare()
    const columns = ['p50', 'p99', 'cpu each']
    const head = ['', 'cold/s', ...columns, 'warm/s', ...columns, 'bytes']
    const all = [...rows, ['bare fastify route, for comparison', '', '', '', '', ...cells(bare)]]
    const sizes = [...warm, bare].map(({ sample }) => String(Buffer.byteLength(sample)))
    const table = Table.format(
      head,
      all.map((row, index) => [...row, sizes[index] ?? '']),
    )
    print(
      `The node API on PostgreSQL, ${CONNECTIONS} connections; the load was generated on the same machine\n${table}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
}

/** Performance of a server in a load test, with the processor time per response in milliseconds. */
interface Measured extends Load.Measured {
  readonly cpu: number
}

function cells(measured: Measured | undefined): string[] {
  if (measured === undefined) return ['', '', '', '']
  const { perSecond, p50, p99, cpu } = measured
  return [Math.round(perSecond).toLocaleString('en'), ...[p50, p99, cpu].map(Table.formatTime)]
}

async function fill(url: string): Promise<void> {
  const { genesis, constants, chains } = Recordings.load('local')
  const store = await Store.open({ url, schema: schemaOf(genesis.networkId) })
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...Recordings.follow(state, chains)])
  await store.close()
}

async function measure(url: string, folder: string, flags: readonly string[]): Promise<Measured[]> {
  const own = ['--data-dir', folder, '--http-port', '0', '--index-enabled', '--log-display-level', 'info']
  const node = await Process.start(NODE, ['--database-url', url, ...own, ...flags], isListening)
  try {
    const base = (JSON.parse(node.readyLine) as { url: string }).url
    const txId = await transactionOf(base)
    const results: Measured[] = []
    for (const [, path, method, params] of QUESTIONS) {
      const requests = params(txId).map((one, id) => ({
        path: `/ext/${path}`,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params: one }),
      }))
      results.push(await load(base, requests))
    }
    return results
  } finally {
    await node.close()
  }
}

async function load(url: string, requests: Load.LoadOptions['requests']): Promise<Measured> {
  const how = { url, requests, connections: CONNECTIONS }
  await Load.run({ ...how, milliseconds: WARM_UP_MS })
  const before = await cpuOf(url)
  const measured = await Load.run({ ...how, milliseconds: MILLISECONDS })
  if (measured.sample.includes('"error"')) throw new RangeError(measured.sample)
  return { ...measured, cpu: ((await cpuOf(url)) - before) / measured.answers }
}

/** Returns the processor time that the service has used so far, in milliseconds. */
async function cpuOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/ext/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1000
}

async function transactionOf(url: string): Promise<string> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'avm.getBlockByHeight',
    params: { height: 10, encoding: 'json' },
  }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/ext/bc/X`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { result } = (await response.json()) as { result: { block: { txs: readonly { id: string }[] } } }
  return result.block.txs[0]?.id ?? ''
}

async function measureBare(): Promise<Measured> {
  const bare = await Process.start(BARE, [], (line) => line.includes('listens on'))
  try {
    return await load(/http:\S+/.exec(bare.readyLine)?.[0] ?? '', [{ path: '/', body: '{}' }])
  } finally {
    await bare.close()
  }
}

function isListening(line: string): boolean {
  return line.includes('"listening"')
}
