// The Data API in a process of its own, under load from 32 connections, on a ledger of any length.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Bech32, Id } from '@firn/codec'
import { createDataApi } from '@firn/data-api'
import { Store } from '@firn/store'
import { explain, listening, TestPostgres } from '@firn/store/testing'
import { AVM_OWNER, fill, OWNERS } from './Ledger.ts'
import * as Load from './Load.ts'
import * as Process from './Process.ts'
import * as Table from './Table.ts'

const SERVICE = resolve(import.meta.dirname, 'serveDataApi.ts')
const CONNECTIONS = 32
const TRANSACTIONS = Number(process.env['FIRN_BENCH_TRANSACTIONS'] ?? 100_000)
/** PGlite is for ledgers that are read by few. */
const EMBEDDED = Math.min(TRANSACTIONS, 100_000)
const MILLISECONDS = Number(process.env['FIRN_BENCH_MS'] ?? 2_000)
const WARM_UP_MS = 500
/** Shows the plan of each statement on PostgreSQL. */
const HAS_PLANS = process.env['FIRN_BENCH_PLANS'] !== undefined
/** A PostgreSQL to keep ledgers in from run to run, instead of one that begins and ends with the run. */
const KEPT = process.env['FIRN_BENCH_DATABASE_URL']
const PAGES = 100

const address = (bytes: Uint8Array) => Bech32.encode('local', bytes)
const NETWORK = '/v1/networks/local'
const PLATFORM = `${NETWORK}/blockchains/p-chain/transactions`
const [, , BUSY = ''] = OWNERS.map((owner) => address(owner.address))
const OWNED = OWNERS.map((owner) => [owner.matches.toLocaleString('en'), address(owner.address)] as const)

/** What is asked for, of which lists have a hundredth page. */
const LISTS: readonly (readonly [title: string, path: string])[] = [
  ['transactions, P', PLATFORM],
  ...OWNED.flatMap(([matches, of]) => [
    [`transactions of ${matches}`, `${PLATFORM}?addresses=${of}`] as const,
    [`the same, oldest first`, `${PLATFORM}?addresses=${of}&sortOrder=asc`] as const,
    [`the same, a rare type`, `${PLATFORM}?addresses=${of}&txTypes=CreateSubnetTx,CreateChainTx`] as const,
    [`the same, in a time`, `${PLATFORM}?addresses=${of}&startTimestamp=1&endTimestamp=2000000000`] as const,
    [`staking of ${matches}`, `${PLATFORM}:listStaking?addresses=${of}`] as const,
  ]),
  ['transactions of all three', `${PLATFORM}?addresses=${OWNED.map(([, of]) => of).join(',')}`],
  ['staking', `${PLATFORM}:listStaking`],
  ['staking, oldest first', `${PLATFORM}:listStaking?sortOrder=asc`],
  ['transactions, X', `${NETWORK}/blockchains/x-chain/transactions`],
  ['of an address', `${NETWORK}/blockchains/x-chain/transactions?addresses=X-${address(AVM_OWNER)}`],
  ['subnets', `${NETWORK}/subnets?pageSize=10`],
  ['blockchains', `${NETWORK}/blockchains`],
  ['l1Validators', `${NETWORK}/l1Validators`],
  ['l1Validators, inactive too', `${NETWORK}/l1Validators?includeInactiveL1Validators=true`],
]

type Row = readonly string[]

export async function report(print: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-bench-'))
  const each = ['/s', 'p50', 'p99']
  const head = ['', 'cold', ...each, 'page 100', ...each, 'kept', ...each, 'bytes']
  const tell = (name: string, count: number, rows: readonly Row[]) => {
    const title = `The Data API on ${name}, ${count.toLocaleString('en')} P-chain transactions, ${CONNECTIONS} connections`
    print(`${title}, the load made on the same machine\n${Table.format(head, rows)}`)
  }
  try {
    const reason = KEPT === undefined ? TestPostgres.missing() : undefined
    if (reason === undefined) tell('PostgreSQL', TRANSACTIONS, await onPostgres(print))
    else print(`The Data API on PostgreSQL: ${reason}`)
    if (KEPT === undefined) tell('PGlite', EMBEDDED, await onPGlite(join(folder, 'db')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(print: (text: string) => void): Promise<Row[]> {
  const settings = ['fsync=off', 'shared_buffers=512MB', 'max_wal_size=4GB']
  const server =
    KEPT === undefined ? await TestPostgres.start(settings) : { url: KEPT, close: async () => undefined }
  const schema = `bench_${TRANSACTIONS}`
  try {
    const store = await Store.open({ url: server.url, schema })
    await prepare(store)
    if (HAS_PLANS) await printPlans(store, print)
    await store.close()
    return await measure(server.url, schema)
  } finally {
    await server.close()
  }
}

async function prepare(store: Store): Promise<void> {
  await store.migrate()
  if ((await store.network()) === undefined) {
    await fill(store, TRANSACTIONS)
    // As a server that has been up for a while has it.
    await store.driver.transaction((session) => session.query('analyze'))
  }
}

async function onPGlite(folder: string): Promise<Row[]> {
  const schema = 'bench'
  const store = await Store.open({ folder, schema })
  await fill(store, EMBEDDED)
  await store.driver.transaction((session) => session.query('analyze'))
  await store.close()
  return measure(folder, schema)
}

/** Each answer made anew on the first and on the hundredth page, and then the first page again from what was kept. */
async function measure(database: string, schema: string): Promise<Row[]> {
  const cold = await serve(database, schema, 'cold', async (url) => {
    const rows: Row[] = []
    for (const [title, path] of [...LISTS, ...(await singles(url))]) {
      const deep = await hundredth(url, path)
      const pages = [await load(url, path), deep === undefined ? undefined : await load(url, deep)]
      rows.push([title, ...pages.flatMap((page) => ['', ...cells(page)])])
    }
    return rows
  })
  return serve(database, schema, 'warm', async (url) => {
    const rows: Row[] = []
    for (const [i, [, path]] of [...LISTS, ...(await singles(url))].entries()) {
      const kept = await load(url, path)
      rows.push([...(cold[i] ?? []), '', ...cells(kept), String(Buffer.byteLength(kept.sample))])
    }
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

async function load(url: string, path: string): Promise<Load.Measured> {
  const how = { url, requests: [{ path }], connections: CONNECTIONS }
  await Load.run({ ...how, milliseconds: WARM_UP_MS })
  return Load.run({ ...how, milliseconds: MILLISECONDS })
}

function cells(measured: Load.Measured | undefined): string[] {
  if (measured === undefined) return ['', '', '']
  const { perSecond, p50, p99 } = measured
  return [Math.round(perSecond).toLocaleString('en'), Table.formatTime(p50), Table.formatTime(p99)]
}

type Answer = Readonly<Record<string, unknown>> & { readonly nextPageToken?: string }

async function get(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer
}

/** The path of a list's hundredth page; undefined where there are fewer. */
async function hundredth(url: string, path: string): Promise<string | undefined> {
  let next = path
  for (let page = 1; page < PAGES; page++) {
    const { nextPageToken } = await get(url + next)
    if (nextPageToken === undefined) return undefined
    const [where = ''] = path.split('?')
    next = `${where}?pageSize=10&pageToken=${nextPageToken}`
  }
  return next
}

/** One of each kind. */
async function singles(url: string): Promise<readonly (readonly [string, string])[]> {
  const first = async (path: string, member: string, id: string) => {
    const list = (await get(`${url}${NETWORK}/${path}`))[member] as readonly Record<string, string>[]
    return list[0]?.[id] ?? Id.format(Id.EMPTY)
  }
  const chain = await first('blockchains', 'blockchains', 'blockchainId')
  const subnet = await first('subnets?pageSize=1', 'subnets', 'subnetId')
  const tx = await first(`blockchains/p-chain/transactions?addresses=${BUSY}`, 'transactions', 'txHash')
  return [
    ['a blockchain', `${NETWORK}/blockchains/${chain}`],
    ['a subnet', `${NETWORK}/subnets/${subnet}`],
    ['a transaction', `${PLATFORM}/${tx}`],
  ]
}

/** The statements of each first and hundredth page, once more, with what the database does for them. */
async function printPlans(store: Store, print: (text: string) => void): Promise<void> {
  const heard = listening(store)
  const service = await createDataApi({
    store: heard.store,
    host: '127.0.0.1',
    port: 0,
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 10_000,
    answerCacheBytes: 0,
    isBehindProxy: false,
    version: '0',
  })
  try {
    for (const [title, path] of [...LISTS, ...(await singles(service.url))]) {
      const deep = await hundredth(service.url, path)
      for (const [which, one] of Object.entries({
        first: path,
        ...(deep === undefined ? {} : { hundredth: deep }),
      })) {
        heard.take()
        await get(service.url + one)
        for (const statement of heard.take()) {
          const plan = await explain(store, statement, true)
          print(`${title}, ${which} page\n${statement.text}\n${plan.join('\n')}`)
        }
      }
    }
  } finally {
    await service.close()
  }
}
