import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { EvmStore, EvmWriter } from '@firn/evm-store'
import { busyChain, inBatches, TEST_CHAIN } from '@firn/evm-store/testing'
import { ExportJobs, UsageStore } from '@firn/service-store'
import { TestPostgres } from '@firn/sql/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { sumOfFile, sumOfTable } from '../testing/exportedRows.ts'
import { FORMATS, type FormatName } from './Format.ts'

/** Number of exported transactions. A long run also waits until the lease of a killed process has ended. */
const LONG = process.env['FIRN_BENCH_ROWS']
const ROWS = Number(LONG ?? 60_000)
const TRANSACTIONS = 50
const PROGRAM = fileURLToPath(new URL('../bin.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'firn-exports-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** A process of the Data API. */
interface Running {
  readonly child: ChildProcess
  readonly url: string
  kill(): Promise<void>
}

const start = async (databaseUrl: string): Promise<Running> => {
  const flags = ['--port', '0', '--no-rate-limits', '--no-webhook-delivery', '--exports-per-caller', '9']
  const where = ['--database-url', databaseUrl, '--chain', String(TEST_CHAIN.chainId)]
  const child = spawn(process.execPath, ['--conditions=source', PROGRAM, ...where, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  closers.push(kill)
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Data API +(http:\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { child, url, kill }
  }
  throw new RangeError('the process ended before it served')
}

/** Returns the largest memory of a process so far in megabytes; undefined where the system does not tell. */
const peakOf = ({ child }: Running): number | undefined => {
  try {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024)
  } catch {
    return undefined
  }
}

/** Returns the processor time of a process so far in seconds. */
const processorTimeOf = ({ child }: Running): number => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

const request = async (url: string, body?: object) => {
  const init = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', ...init })
  expect(response.ok).toBe(true)
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  return (await response.json()) as any
}

const exported = (running: Running, format: FormatName) =>
  request(`${running.url}/v1/operations/transactions:export`, {
    type: 'TRANSACTION_EXPORT_EVM',
    format,
    options: { includeChains: [String(TEST_CHAIN.chainId)] },
  }).then(({ operationId }) => operationId as string)

const reason = TestPostgres.missing()

describe.skipIf(reason !== undefined)('exports of a process that is killed', { tags: ['postgres'] }, () => {
  test('go on in another process, and contain every row of the database once and in order, in every format', async () => {
    const server = await TestPostgres.start()
    closers.push(() => server.close())
    const store = await EvmStore.open({ url: server.url, chainId: TEST_CHAIN.chainId })
    const usage = await UsageStore.open({ url: server.url })
    closers.push(
      () => store.close(),
      () => usage.close(),
    )
    await store.migrate()
    await usage.migrate()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const counts = { transactions: TRANSACTIONS, transfers: 10, accounts: 10_000, contracts: 50 }
    const chain = busyChain({ blocks: Math.ceil(ROWS / TRANSACTIONS), ...counts, isVaried: true })
    for (const batch of inBatches(chain, 100))
      await writer.commit(batch.map((block) => ({ block, contracts: [] })))
    const expected = await sumOfTable(store)
    expect(expected.rows).toBe(Math.ceil(ROWS / TRANSACTIONS) * TRANSACTIONS)

    const first = await start(server.url)
    const ids = new Map<FormatName, string>()
    for (const format of FORMATS) ids.set(format, await exported(first, format))
    const rowsOf = async (condition: string) => {
      const [row] = await ExportJobs.run(
        usage,
        `select count(*)::int as jobs, sum((progress::json ->> 'rows')::int)::int as rows from job where ${condition}`,
      )
      return row as unknown as { readonly jobs: number; readonly rows: number | null }
    }
    await expect
      .poll(async () => (await rowsOf('true')).rows ?? 0, { interval: 5 })
      .toBeGreaterThan(LONG === undefined ? 0 : ROWS)
    const memory = [peakOf(first)]
    await first.kill()
    expect((await rowsOf('finished_at is null')).jobs).toBeGreaterThan(0)
    if (LONG === undefined) await ExportJobs.run(usage, `update job set leased_until = '-infinity'`)

    const second = await start(server.url)
    const began = { rows: (await rowsOf('true')).rows ?? 0, ms: Date.now(), cpu: processorTimeOf(second) }
    await expect.poll(async () => (await rowsOf('finished_at is null')).jobs, { interval: 100 }).toBe(0)
    memory.push(peakOf(second))
    if (LONG !== undefined) {
      const seconds = (Date.now() - began.ms) / 1_000
      const rows = 3 * expected.rows - began.rows
      const cpu = processorTimeOf(second) - began.cpu
      console.log(
        `${rows} rows after the kill in ${seconds.toFixed(1)} s with the wait for the lease, ${Math.round(rows / cpu)} rows per processor second; peak memory of the processes ${memory.join(' and ')} MB`,
      )
    }
    for (const [format, id] of ids) {
      const result = await request(`${second.url}/v1/operations/${id}`)
      expect(result).toMatchObject({ operationStatus: 'COMPLETED' })
      const path = join(folder, `file.${format}`)
      const { body } = await fetch(result.metadata.downloadUrl)
      await pipeline(Readable.fromWeb(body as never), createWriteStream(path))
      expect([format, await sumOfFile(path, format)]).toEqual([format, expected])
    }
    if (LONG !== undefined) console.log(`peak memory with three downloads ${peakOf(second)} MB`)
  })
})
