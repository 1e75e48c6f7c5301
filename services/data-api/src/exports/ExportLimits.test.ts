import { randomBytes } from 'node:crypto'
import { ApiKey, IpAddress } from '@firn/http'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { ExportJobs, type UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPayer } from '../http/admission/Payer.ts'
import { createMemoryCounters } from '../http/admission/RateLimit.ts'
import * as Caller from '../http/endpoint/Caller.ts'
import { storedKey } from '../testing/storedKey.ts'
import type { ExportLimits, Owner } from './ExportLimits.ts'
import { createExports, type Exports } from './Exports.ts'
import type { ExportTask } from './ExportTask.ts'
import type { RunOptions } from './runExport.ts'
import type { Source } from './Table.ts'

const TASK: ExportTask = {
  ...{ type: 'TRANSACTION_EXPORT_EVM', format: 'csv', contents: 'transactions' },
  ...{ from: undefined, until: undefined, addresses: [], chains: ['1'] },
}
const KEY = ApiKey.generate(randomBytes)
const allowances = {
  anonymous: { unitsPerMinute: 100, unitsPerDay: 1_000 },
  keyed: { unitsPerMinute: 100, unitsPerDay: 1_000 },
}
const fromAddress = (address: string): Owner => ({
  ...{ key: undefined, isAnonymous: true },
  limits: Caller.ofAddress(IpAddress.parse(address), allowances).limits,
})
const fromKey = (key: ApiKey.StoredKey): Owner => ({
  ...{ key: ApiKey.id(key), isAnonymous: false },
  limits: Caller.ofKey(key, allowances).limits,
})
const fromSite = (network: number) => fromAddress(`2001:db8:1:${network.toString(16)}::1`)
const ME = fromAddress('10.0.0.1')
const MIB = 1_048_576
const LIMITS: ExportLimits = {
  anonymous: { maxRows: 1_000, maxBytes: MIB },
  keyed: { maxRows: 1_000_000, maxBytes: 10 * MIB },
  ...{ maxBytes: 100 * MIB, maxPerCaller: 2, retentionMs: 3_600_000 },
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

/** Rows of random bytes, which cannot be compressed. */
function noise(count: number, size = 1): Source<unknown> {
  return {
    columns: [{ name: 'noise', type: 'text', of: () => randomBytes(size).toString('base64') }],
    read: async (place, limit) => {
      const start = Number(place ?? 0)
      const end = Math.min(count, start + limit)
      const rows = Array.from({ length: end - start }, (_, i) => start + i)
      return { rows, timeOf: () => 0n, next: end < count ? end : undefined }
    },
  }
}
const forever: Source<unknown> = {
  ...noise(1),
  read: (_place, _limit, signal) =>
    new Promise<never>((_, reject) => {
      const end = () => reject(signal.reason)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    }),
}

function open(source: Source<unknown>, more: Partial<RunOptions> = {}): Exports {
  const exports = createExports({
    ...{ store, sourceOf: async () => source, clock: systemClock, random: () => 0.5 },
    ...{ log: silentLogger, limits: LIMITS, stepRows: 1_000 },
    ...more,
  })
  opened.push(exports)
  return exports
}

const ended = (exports: Exports, id: string, owner = ME) =>
  until(async () => {
    const operation = await exports.get(id, owner)
    expect(operation.status).not.toBe('RUNNING')
    return operation
  })

/** Starts exports of many callers at once, and returns the number of those that began, and the errors of the others. */
async function startAll(exports: Exports, owners: readonly Owner[]) {
  const results = await Promise.allSettled(owners.map((owner) => exports.start(TASK, owner)))
  const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return {
    started: results.length - reasons.length,
    messages: new Set(reasons.map(({ message }) => message)),
  }
}
const many = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i))

describe('places in the queue', () => {
  test('are two for each caller, also if hundreds are asked for at once by several processes', async () => {
    const [one, other] = [open(forever), open(forever)]
    const both = await Promise.all([
      startAll(
        one,
        many(100, () => ME),
      ),
      startAll(
        other,
        many(100, () => ME),
      ),
    ])
    expect(both.reduce((sum, { started }) => sum + started, 0)).toBe(2)
    expect(
      await startAll(
        one,
        many(3, () => fromAddress('10.0.0.2')),
      ),
    ).toEqual({
      started: 2,
      messages: new Set([
        'at most 2 exports of a caller run at once; wait until one has ended, or cancel it',
      ]),
    })
  })

  test('are 32 for all networks of a /48, and others still get theirs', async () => {
    const exports = open(forever)
    expect(await startAll(exports, many(500, fromSite))).toEqual({
      started: 32,
      messages: new Set([
        'at most 32 exports of your network run at once; try again later, or use an API key',
      ]),
    })
    expect((await startAll(exports, [fromAddress('2001:db8:2::1'), ME])).started).toBe(2)
  })

  test('are half of all for callers without a key', async () => {
    const exports = open(forever)
    await ExportJobs.run(
      store,
      `insert into job (id, caller, task, holder, leased_until)
       select 'x' || i, 'address:10.9.' || i / 250 || '.' || i % 250, '{}', 'other', 'infinity' from generate_series(1, 500) i`,
    )
    expect(await startAll(exports, [ME])).toEqual({
      started: 0,
      messages: new Set(['too many exports of callers without a key; try again later, or use an API key']),
    })
    expect((await startAll(exports, [fromKey(storedKey(KEY))])).started).toBe(1)
  })
})

describe('stored files', () => {
  test('count until they expire or are cancelled, and refuse further exports', async () => {
    const exports = open(noise(1_000, 1_200))
    const first = await exports.start(TASK, ME)
    expect(await ended(exports, first.id)).toMatchObject({ status: 'COMPLETED', rows: 1_000 })
    const second = await exports.start(TASK, ME).catch((error: unknown) => error)
    expect(second).toMatchObject({
      code: 'DATA_RATE_LIMIT',
      message: expect.stringContaining(
        'your finished exports use 1 of 1 MiB; cancel those that you no longer need',
      ),
    })
    expect((await startAll(exports, [fromAddress('10.0.0.2')])).started).toBe(1)
    expect(await exports.cancel(first.id, ME)).toMatchObject({ status: 'FAILED' })
    expect(await ExportJobs.part(store, first.id, 0)).toBeUndefined()
    await expect(exports.file(first.id)).rejects.toMatchObject({ code: 'DATA_NOT_FOUND' })
    expect((await startAll(exports, [ME])).started).toBe(1)
  })

  test('end an export that becomes too large, and its parts are removed', async () => {
    const exports = open(noise(1_000, 6_000), { stepRows: 100 })
    const { id } = await exports.start(TASK, ME)
    const { status, code, message, rows } = await ended(exports, id)
    expect([status, code, rows < 1_000]).toEqual(['FAILED', 'ErrInvalidRequest', true])
    expect(message).toBe(
      'the files of your exports may have 1 MiB together; use an API key, or cancel finished ones, or ask for fewer days',
    )
    await ExportJobs.sweep(store, LIMITS.retentionMs)
    expect(await ExportJobs.run(store, 'select from job_part')).toEqual([])
    expect((await startAll(exports, [ME])).started).toBe(1)
  })

  test('of a /48 count together', async () => {
    const exports = open(noise(1_000, 90), {
      limits: { ...LIMITS, anonymous: { maxRows: 1_000, maxBytes: 100_000 } },
    })
    let refused: Error | undefined
    let finished = 0
    for (let network = 0; refused === undefined && network < 100; network++) {
      const owner = fromSite(network)
      const started = await exports.start(TASK, owner).catch((error: Error) => error)
      if (started instanceof Error) refused = started
      else if ((await ended(exports, started.id, owner)).status === 'COMPLETED') finished++
    }
    expect(refused?.message).toContain('exports of your network use')
    expect(finished).toBeGreaterThanOrEqual(16)
    expect(finished).toBeLessThan(32)
  })
})

describe('compute units', () => {
  const served = (keys: () => readonly ApiKey.StoredKey[] = () => []) => {
    let now = Date.UTC(2026, 0, 1)
    const counters = createMemoryCounters(() => now)
    const waits: number[] = []
    const clock = {
      now: () => now,
      sleep: async (milliseconds: number, signal?: AbortSignal) => {
        // The interval of the rounds.
        if (milliseconds === 5_000) return systemClock.sleep(milliseconds, signal)
        waits.push(milliseconds)
        now += milliseconds
      },
    }
    const payer = createPayer({ counters, keys: async () => keys(), ...allowances })
    return { options: { payer, clock, stepRows: 1_000 }, waits, counters, pass: (ms: number) => (now += ms) }
  }

  test('charges units for rows, and pauses an export while half of the units of the minute are used', async () => {
    const { options, waits, counters } = served()
    const exports = open(noise(20_000), { ...options, limits: { ...LIMITS, anonymous: LIMITS.keyed } })
    const { id } = await exports.start(TASK, ME)
    expect(await ended(exports, id)).toMatchObject({ status: 'COMPLETED', rows: 20_000 })
    expect((await counters.add('address:10.0.0.1', 0)).day.used).toBe(200)
    // Five parts of 10 units in each minute.
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000])
  })

  test('ends an export when the units of the day are used up', async () => {
    const { options } = served()
    const exports = open(noise(1_000_000), { ...options, limits: { ...LIMITS, anonymous: LIMITS.keyed } })
    const { id } = await exports.start(TASK, ME)
    expect(await ended(exports, id)).toMatchObject({
      ...{ status: 'FAILED', code: 'ErrInvalidRequest' },
      message: 'the compute units of your day are used up; start it again tomorrow, or ask for fewer days',
    })
  })

  test('cannot be charged any longer if the key is revoked, which ends the export', async () => {
    let key = storedKey(KEY)
    const { options } = served(() => [key])
    const source = noise(20_000)
    const read: typeof source.read = async (place, ...others) => {
      if (place === 5_000) key = storedKey(KEY, { revokedAt: 1 })
      return source.read(place, ...others)
    }
    const exports = open({ ...source, read }, options)
    const owner = fromKey(key)
    const { id } = await exports.start(TASK, owner)
    expect(await ended(exports, id, owner)).toMatchObject({
      ...{ status: 'FAILED', message: 'the API key was revoked; use another key' },
    })
  })
})

test('fewer rows are exported without a key', async () => {
  const days: Source<unknown> = { ...noise(3_000) }
  const dated: Source<unknown> = {
    ...days,
    read: async (...given) => ({
      ...(await days.read(...given)),
      timeOf: (row) => BigInt(Number(row) * 86_400),
    }),
  }
  const exports = open(dated)
  const anonymous = await exports.start(TASK, ME)
  expect(await ended(exports, anonymous.id)).toMatchObject({
    ...{ status: 'COMPLETED_WITH_WARNING', message: 'more than 1000 rows', rows: 1_000 },
  })
  const owner = fromKey(storedKey(KEY))
  const keyed = await exports.start(TASK, owner)
  expect(await ended(exports, keyed.id, owner)).toMatchObject({ status: 'COMPLETED', rows: 3_000 })
})
