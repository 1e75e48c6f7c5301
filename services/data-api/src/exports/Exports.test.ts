import { IpAddress } from '@firn/http'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { ExportJobs, type UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as Caller from '../http/endpoint/Caller.ts'
import type { ExportLimits, Owner } from './ExportLimits.ts'
import { createExports, type Exports } from './Exports.ts'
import type { ExportTask } from './ExportTask.ts'
import type { RunOptions } from './runExport.ts'
import { type Source, StaleExport } from './Table.ts'

const DAY = 86_400
const FIRST = Date.UTC(2026, 0, 1) / 1_000
const NONE = { unitsPerMinute: 0, unitsPerDay: 0 }
const ME = ownerOf('127.0.0.1')
const own = { maxRows: 1_000, maxBytes: 1_000_000 }
const LIMITS: ExportLimits = {
  ...{ anonymous: own, keyed: own, maxBytes: 10_000_000, maxPerCaller: 2, retentionMs: 60_000 },
}
const TASK: ExportTask = {
  type: 'TRANSACTION_EXPORT_EVM',
  format: 'csv',
  contents: 'transactions',
  from: undefined,
  until: undefined,
  addresses: [],
  chains: ['1'],
}

/** Returns the owner of exports without a key. */
function ownerOf(address: string): Owner {
  const { limits } = Caller.ofAddress(IpAddress.parse(address), { anonymous: NONE, keyed: NONE })
  return { key: undefined, limits, isAnonymous: true }
}

let store: UsageStore
const opened: Exports[] = []
beforeAll(async () => {
  store = await openUsage()
})
afterAll(() => store?.close())
beforeEach(async () => {
  for (const exports of opened.splice(0)) await exports.close()
  await ExportJobs.run(store, 'delete from job')
  await ExportJobs.run(store, 'delete from job_part')
})

/** Rows 0 to `count` - 1, of which ten are on each day. `fault` is called before each read. */
function numbers(count: number, fault: (from: number) => void = () => {}): Source<unknown> {
  const from = (time: number | undefined) => Math.max(0, (((time ?? FIRST) - FIRST) / DAY) * 10)
  return {
    columns: [{ name: 'number', type: 'integer', of: (row) => row as number }],
    read: async (place, limit) => {
      const start = typeof place === 'number' ? place : from(undefined)
      fault(start)
      const end = Math.min(count, start + limit)
      const rows = Array.from({ length: end - start }, (_, i) => start + i)
      const timeOf = (row: unknown) => BigInt(FIRST + Math.floor((row as number) / 10) * DAY)
      return { rows, timeOf, next: end < count ? end : undefined }
    },
  }
}

function open(source: Source<unknown>, more: Partial<RunOptions> = {}): Exports {
  const exports = createExports({
    store,
    sourceOf: async () => source,
    clock: systemClock,
    random: () => 0.5,
    log: silentLogger,
    limits: LIMITS,
    stepRows: 7,
    ...more,
  })
  opened.push(exports)
  return exports
}

const ended = (exports: Exports, id: string) =>
  until(async () => {
    const operation = await exports.get(id, ME)
    expect(operation.status).not.toBe('RUNNING')
    return operation
  })

async function textOf(exports: Exports, id: string): Promise<string> {
  const { parts, size } = await exports.file(id)
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  const bytes = Buffer.concat(all)
  expect(bytes.length).toBe(size)
  return bytes.toString()
}

const csv = (from: number, to: number) =>
  `number\n${Array.from({ length: to - from }, (_, i) => `${from + i}\n`).join('')}`

test('goes on after a kill at any part, in another process, without loss and repetition', async () => {
  for (const killedAt of [0, 7, 42, 63]) {
    let isKilled = false
    const stuck = numbers(64, (from) => {
      if (from >= killedAt) isKilled = true
      // A killed process does nothing, not even end its lease.
      if (isKilled) throw new Error('killed')
    })
    const first = open(stuck, {
      clock: {
        now: systemClock.now,
        sleep: (ms, signal) => systemClock.sleep(isKilled ? 600_000 : ms, signal),
      },
    })
    const { id } = await first.start(TASK, ME)
    await until(() => expect(isKilled).toBe(true))
    await ExportJobs.run(store, `update job set leased_until = '-infinity'`)
    const second = open(numbers(64))
    expect(await ended(second, id)).toMatchObject({ status: 'COMPLETED', rows: 64 })
    expect(await textOf(second, id)).toBe(csv(0, 64))
  }
})

test('does not run an export in two processes at once', async () => {
  let reads = 0
  const source = numbers(64, () => void reads++)
  const [first, second] = [open(source), open(source)]
  const { id } = await first.start(TASK, ME)
  await ended(second, id)
  expect(reads).toBe(10)
})

test('ends with the day that exceeds the maximum, and names the next one', async () => {
  const exports = open(numbers(64), { limits: { ...LIMITS, anonymous: { ...own, maxRows: 23 } } })
  const { id } = await exports.start(TASK, ME)
  expect(await ended(exports, id)).toMatchObject({
    status: 'COMPLETED_WITH_WARNING',
    code: 'WarnTruncatedExport',
    nextDate: '2026-01-04',
    rows: 30,
  })
  expect(await textOf(exports, id)).toBe(csv(0, 30))
})

test('starts again if a reorg replaced exported rows', async () => {
  let isReplaced = false
  const source = numbers(64, (from) => {
    if (from < 28 || isReplaced) return
    isReplaced = true
    throw new StaleExport()
  })
  const exports = open(source)
  const { id } = await exports.start(TASK, ME)
  expect(await ended(exports, id)).toMatchObject({ status: 'COMPLETED', rows: 64 })
  expect(await textOf(exports, id)).toBe(csv(0, 64))
})

test('limits the exports of a caller, hides them from others, and cancels them', async () => {
  const forever = { ...numbers(64), read: () => new Promise<never>(() => {}) }
  const exports = open(forever)
  const [one, two] = [await exports.start(TASK, ME), await exports.start(TASK, ME)]
  await expect(exports.start(TASK, ME)).rejects.toMatchObject({ code: 'DATA_RATE_LIMIT' })
  await expect(exports.get(one.id, { key: 'other' })).rejects.toMatchObject({
    code: 'DATA_NOT_FOUND',
  })
  await expect(exports.cancel(one.id, { key: 'other' })).rejects.toThrow('no operation')
  await expect(exports.file(one.id)).rejects.toMatchObject({ code: 'DATA_NOT_FOUND' })
  expect(await exports.cancel(one.id, ME)).toMatchObject({
    status: 'FAILED',
    message: 'cancelled by the caller',
  })
  expect(await exports.get(one.id, ME)).toMatchObject({ type: 'TRANSACTION_EXPORT_EVM', status: 'FAILED' })
  await exports.start(TASK, ME)
  expect(await ExportJobs.part(store, one.id, 0)).toBeUndefined()
  expect(two.status).toBe('RUNNING')
  opened.splice(0)
})

test('waits while the disk is full, and fails if it stays full', async () => {
  let isFull = true
  const transaction: typeof store.driver.transaction = (work) =>
    store.driver.transaction(({ query, copy }) =>
      work({
        copy,
        query: async (text, values) => {
          if (isFull && text.includes('insert into job_part')) {
            throw Object.assign(new Error('could not extend file: No space left on device'), {
              code: '53100',
            })
          }
          return query(text, values)
        },
      }),
    )
  const full = Object.create(store, { driver: { value: { ...store.driver, transaction } } }) as UsageStore
  const exports = open(numbers(64), { store: full })
  const { id } = await exports.start(TASK, ME)
  await until(async () => expect((await exports.get(id, ME)).rows).toBe(0))
  isFull = false
  expect(await ended(exports, id)).toMatchObject({ status: 'COMPLETED', rows: 64 })
  expect(await textOf(exports, id)).toBe(csv(0, 64))
  isFull = true
  let now = 0
  const clock = { now: () => (now += 30_000), sleep: () => systemClock.sleep(1) }
  const impatient = open(numbers(64), { store: full, clock })
  const failing = await impatient.start(TASK, ME)
  expect(await ended(impatient, failing.id)).toMatchObject({ status: 'FAILED', code: 'ErrInternal' })
})

test('removes files after the retention time', async () => {
  const exports = open(numbers(64))
  const { id } = await exports.start(TASK, ME)
  await ended(exports, id)
  await ExportJobs.run(store, `update job set finished_at = clock_timestamp() - interval '61 seconds'`)
  const later = open(numbers(64))
  await until(() => expect(later.file(id)).rejects.toMatchObject({ code: 'DATA_NOT_FOUND' }))
  expect(await ExportJobs.run(store, 'select * from job_part')).toEqual([])
})
