import { database, TestPostgres } from '@firn/sql/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUsage } from '../testing/usage.ts'
import * as UsageMetrics from './UsageMetrics.ts'
import type { UsageRequest } from './UsageRequest.ts'
import { UsageStore } from './UsageStore.ts'
import { UsageSums } from './UsageSums.ts'

const DAY = 86_400
/**
 * Times around the first days of 1970, the end of February in a leap year, the end of a year, and the end of
 * a month on a Sunday.
 */
const MOMENTS = ['1970-01-01', '1970-01-05', '2024-02-28', '2024-03-01', '2023-12-30', '2026-05-31'].map(
  (day) => Date.parse(`${day}T00:00:00Z`) / 1000,
)

const request: fc.Arbitrary<UsageRequest> = fc.record({
  time: fc.tuple(fc.constantFrom(...MOMENTS), fc.nat(9 * DAY)).map(([moment, more]) => moment + more),
  chainId: fc.constantFrom('43114', '43113'),
  method: fc.constantFrom('eth_call', 'eth_getLogs', 'net_version'),
  status: fc.constantFrom(200, 200, 200, 400, 404, 429, 500, 503),
  token: fc.constantFrom('', '', 'explorer', 'wallet'),
  milliseconds: fc.oneof(fc.nat(5), fc.nat(100_000)),
  credits: fc.nat(500),
})

/** Bounds of the time range of a query. Most ranges include all requests, so that groups are large. */
const FIRST = fc.oneof(fc.constant(0), fc.constantFrom(...MOMENTS)).map(BigInt)
const LAST = fc.oneof(fc.constant(2_000_000_000), fc.constantFrom(...MOMENTS)).map(BigInt)
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const seldom = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), fc.constant(undefined), value)

const query: fc.Arbitrary<UsageMetrics.UsageQuery> = fc.record({
  interval: fc.constantFrom('hourly', 'daily', 'weekly', 'monthly'),
  from: FIRST,
  to: LAST,
  limit: fc.constant(1000),
  groupBy: sometimes(fc.constantFrom('rpcMethod', 'responseCode', 'rlBypassToken')),
  chainId: seldom(fc.constantFrom('43114', '1')),
  method: seldom(fc.constant('eth_call')),
  status: seldom(fc.constantFrom(200, 429)),
  token: seldom(fc.constantFrom('explorer', '')),
})

/** Returns the start of the interval that contains a request, according to the calendar. */
function beginOf(time: number, interval: UsageMetrics.Interval): number {
  const date = new Date(time * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const monday = day - ((date.getUTCDay() + 6) % 7)
  const begins = {
    hourly: Date.UTC(year, month, day, date.getUTCHours()),
    daily: Date.UTC(year, month, day),
    weekly: Date.UTC(year, month, monday),
    monthly: Date.UTC(year, month),
  }
  return begins[interval] / 1000
}

function recompute(requests: readonly UsageRequest[], query: UsageMetrics.UsageQuery) {
  const asked = requests.filter(
    ({ time, chainId, method, status, token }) =>
      time >= query.from &&
      time < query.to &&
      [undefined, chainId].includes(query.chainId) &&
      [undefined, method].includes(query.method) &&
      [undefined, status].includes(query.status) &&
      [undefined, token].includes(query.token),
  )
  const group = ({ method, status, token }: UsageRequest) =>
    query.groupBy === undefined
      ? ''
      : { rpcMethod: method, responseCode: String(status), rlBypassToken: token }[query.groupBy]
  const groups = Map.groupBy(asked, (one) => `${beginOf(one.time, query.interval)} ${group(one)}`)
  return [...groups].map(([key, some]) => {
    const [begin = '', name = ''] = key.split(' ')
    const times = some.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
    const middle = [times[(times.length - 1) >> 1], times[times.length >> 1]] as [number, number]
    const invalid = some.filter(({ status }) => status >= 400 && status < 500)
    const creditsOf = (list: readonly UsageRequest[]) =>
      BigInt(list.reduce((sum, { credits }) => sum + credits, 0))
    return {
      begin: BigInt(begin),
      group: name,
      requests: BigInt(some.length),
      credits: creditsOf(some),
      invalidRequests: BigInt(invalid.length),
      invalidCredits: creditsOf(invalid),
      successes: BigInt(some.filter(({ status }) => status < 400).length),
      medianMilliseconds: (middle[0] + middle[1]) / 2,
    }
  })
}

const byKey = (one: { begin: bigint; group: string }, other: { begin: bigint; group: string }) =>
  one.begin === other.begin ? (one.group < other.group ? -1 : 1) : one.begin < other.begin ? -1 : 1

const KINDS = [
  { kind: 'PGlite', open: openUsage, isMissing: false },
  {
    kind: 'PostgreSQL',
    open: async () => {
      const store = await UsageStore.open({ url: await TestPostgres.url(), schema: `usage_${process.pid}` })
      await store.migrate()
      return store
    },
    isMissing: TestPostgres.missing() !== undefined,
  },
]

for (const { kind, open, isMissing } of KINDS) {
  describe.skipIf(isMissing)(kind, { tags: isMissing ? ['postgres'] : [] }, () => {
    let store: UsageStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(async () => {
      await database(store).schema.dropSchema(store.schema).cascade().execute()
      await store.close()
    })

    test('returns correct sums and medians for every interval, group and filter', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { maxLength: 60, size: 'max' }),
          fc.array(query, { minLength: 6, maxLength: 6 }),
          async (requests, queries) => {
            await database(store).deleteFrom('usage').execute()
            // The requests are written in two parts, and the second part adds to rows of the first.
            for (const part of [requests.slice(0, 20), requests.slice(20)]) {
              const sums = new UsageSums()
              for (const one of part) sums.add(one)
              await store.driver.transaction((session) => sums.write(session))
            }
            for (const query of queries) {
              const expected = recompute(requests, query).toSorted(byKey)
              expect(await UsageMetrics.read(store, query)).toEqual(expected)
            }
          },
        ),
        { numRuns: 40 },
      )
    })
  })
}
