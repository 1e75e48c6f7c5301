import type { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { database } from '@firn/sql/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCosts } from '../methods/MethodCosts.ts'
import { creditsOf } from '../testing/gateways.ts'
import { LOG_FORMATS, type LogFormat, parseLogLine } from './AccessLog.ts'
import { loadAccessLog } from './AccessLogLoad.ts'

const costs = createCosts()
let usage: UsageStore
beforeAll(async () => {
  usage = await openUsage()
})
afterAll(() => usage.close())
beforeEach(async () => {
  await database(usage).deleteFrom('usage').execute()
  await database(usage).deleteFrom('usage_load').execute()
})

const line = (more: object = {}) =>
  `${JSON.stringify({ time: 1_800_000_000.5, chainId: '43114', method: 'eth_call', status: 200, milliseconds: 12, ...more })}\n`

const load = (text: string, format: LogFormat = LOG_FORMATS.firn, partBytes = 1_000) =>
  loadAccessLog({
    usage,
    async *open() {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes)
    },
    format,
    costs,
    signal: new AbortController().signal,
    batchLines: 10,
  })

const counted = async () => {
  const rows = await database(usage).selectFrom('usage').select('requests').execute()
  return rows.reduce((sum, { requests }) => sum + Number(requests), 0)
}

test('parses a line of each log format', () => {
  const expected = {
    time: 1_800_000_000,
    chainId: '43114',
    method: 'eth_call',
    status: 200,
    token: '',
    milliseconds: 12,
    credits: 25,
  }
  expect(parseLogLine(line(), LOG_FORMATS.firn, costs)).toEqual(expected)
  expect(parseLogLine(line({ token: 'explorer', credits: 7 }), LOG_FORMATS.firn, costs)).toEqual({
    ...expected,
    token: 'explorer',
    credits: 7,
  })
  const nginx = {
    time_iso8601: '2027-01-15T08:00:00+00:00',
    request_uri: '/rpc/43114?x',
    rpc_method: 'eth_call',
    status: '200',
    request_time: '0.012',
  }
  expect(parseLogLine(JSON.stringify(nginx), LOG_FORMATS['nginx-json'], costs)).toEqual(expected)
  const own = { time: 'at', chainId: 'chain.id', method: 'rpc.method', status: 'code', seconds: 'took' }
  const row = { at: '1800000000', chain: { id: 43114 }, rpc: { method: 'eth_call' }, code: 200, took: 0.0124 }
  expect(parseLogLine(JSON.stringify(row), own, costs)).toEqual(expected)
})

describe('parseLogLine', () => {
  test.each([
    ['text that is not JSON', 'GET / 200', 'expected a JSON object'],
    ['a list', '[]', 'expected a JSON object'],
    ['a missing time', line({ time: undefined }), 'time'],
    ['a time in another millennium', line({ time: 1e15 }), 'time'],
    ['a missing status', line({ status: undefined }), 'status'],
    ['an invalid status', line({ status: 20 }), 'status'],
    ['a missing duration', line({ milliseconds: undefined }), 'seconds'],
    ['a negative duration', line({ milliseconds: -1 }), 'milliseconds'],
    ['an overlong method', line({ method: 'x'.repeat(129) }), 'method'],
    ['an invalid method', line({ method: 'a\nb' }), 'method'],
    ['invalid credits', line({ credits: 1.5 }), 'credits'],
    ['an invalid chain', line({ chainId: {} }), 'chainId'],
  ])('rejects %s with an error that names the field', (_, text, reason) => {
    expect(() => parseLogLine(text, LOG_FORMATS.firn, costs)).toThrow(
      expect.objectContaining({
        code: 'GATEWAY_LOG',
        message: expect.stringMatching(new RegExp(`^${reason}`)),
      }),
    )
  })
})

test('reports invalid lines by line number, and counts the requests of all other lines', async () => {
  const text = [line(), 'nonsense\n', '\n', line({ status: 429 }), line({ status: 'x' }), line()].join('')
  const loaded = await load(text)
  expect(loaded).toMatchObject({ requests: 3, skippedLines: 0, badLines: 2 })
  expect(loaded.bad.map(({ line }) => line)).toEqual([2, 5])
  expect([await counted(), await creditsOf(usage)]).toEqual([3, 75])
})

test('counts each line once, even if a log is loaded again after it grew or after an interruption', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 35 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 500 }),
      async (growth, isCut, partBytes) => {
        await database(usage).deleteFrom('usage').execute()
        await database(usage).deleteFrom('usage_load').execute()
        let text = ''
        let lines = 0
        for (const more of growth) {
          for (let i = 0; i < more; i++) text += line({ milliseconds: lines++ % 7 })
          // A last line without a line break is incomplete.
          await load(isCut ? text + line().slice(0, 20) : text, LOG_FORMATS.firn, partBytes)
          expect(await counted()).toBe(lines)
          const again = await load(text)
          expect([again.requests, again.skippedLines, await counted()]).toEqual([0, lines, lines])
        }
      },
    ),
    { numRuns: 10 },
  )
})

test('skips the lines that two logs have in common, and counts all others', async () => {
  const common = Array.from({ length: 25 }, (_, i) => line({ milliseconds: i })).join('')
  expect((await load(common + line({ status: 400 }))).requests).toBe(26)
  // Hashes are stored after batches of ten lines, so 20 of the 25 common lines are recognized.
  expect(await load(common + line({ status: 500 }))).toMatchObject({ skippedLines: 20, requests: 6 })
})

test('counts each line once if two loads run concurrently', async () => {
  const text = Array.from({ length: 50 }, (_, i) => line({ milliseconds: i })).join('')
  const loaded = await Promise.all([load(text), load(text)])
  expect([loaded[0].requests + loaded[1].requests, await counted()]).toEqual([50, 50])
})

test('rejects an overlong line before reading the whole line', async () => {
  await expect(load('x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'GATEWAY_LOG' })
})
