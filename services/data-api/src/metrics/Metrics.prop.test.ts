import { BlockReader, Periods } from '@firn/evm'
import { type InventedChain, type InventedParts, inventedChain, type Random } from '@firn/evm/testing'
import { type EvmChain, type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import { plainMetrics } from '../testing/plainMetrics.ts'
import { METRIC_NAMES, METRICS } from './Metrics.ts'
import { type MetricRequest, metricPage } from './metricPage.ts'
import { createUuidTokens } from './UuidTokens.ts'

/** Number of chains to generate. Set the environment variable for a more thorough run. */
const CHAINS = Number(process.env['FIRN_METRICS_CHAINS'] ?? 8)

const NOW = Date.parse('2026-11-21T00:00:00Z')
const pageTokens = createPageTokens(new Uint8Array(32).fill(3))
const tokens = createUuidTokens(pageTokens, () => NOW)

const chain: EvmChain = { ...TEST_CHAIN, network: 'mainnet' }
const other: EvmChain = { ...TEST_CHAIN, chainId: 1338n, network: 'testnet' }
let stores: readonly [EvmStore, EvmStore]
let context: EvmContext

beforeAll(async () => {
  stores = await Promise.all([openEvm(), openEvm({ chainId: other.chainId })])
  context = {
    chains: [
      { chain, store: stores[0] },
      { chain: other, store: stores[1] },
    ],
    tokens: pageTokens,
    now: () => NOW,
  }
})

afterAll(() => Promise.all(stores.map((store) => store.close())))

/** Times near the end of a day, week, month or year, some of them around a leap day. */
const STARTS = [
  ...['2024-02-28T22:00:00Z', '2024-02-29T23:59:58Z', '2023-12-31T23:59:59Z', '2024-03-03T23:00:00Z'],
  ...['2025-01-05T23:59:59Z', '2024-06-30T23:59:59.999Z', '1970-01-01T00:00:00Z', '2025-02-28T12:00:00Z'],
]

/**
 * Milliseconds between blocks. With many of these values, a block's time falls exactly on the end of a
 * period.
 */
const STEPS = [0, 1, 999, 1_000, 1_500, 3_599_999, 3_600_000, 86_400_000, 604_800_000, 2_592_000_000]

const shape = fc.record({
  seed: fc.nat(),
  firstTime: fc.constantFrom(...STARTS).map((text) => BigInt(Date.parse(text))),
  steps: fc.array(fc.oneof(fc.constantFrom(...STEPS), fc.nat(8_000), fc.nat(200_000_000)), { minLength: 1 }),
  millisecondsFrom: fc.constantFrom(0n, 3n, 1_000n),
  isAsynchronous: fc.boolean(),
})
const EVER = { from: -(2 ** 40), until: 2 ** 40 }

/** Steps of a chain: a number of blocks to store, followed by a number of blocks to revert. */
const turns = fc.array(fc.record({ grown: fc.integer({ min: 1, max: 6 }), undone: fc.nat(8) }), {
  minLength: 1,
  maxLength: 4,
})

function invent({ steps, ...rest }: typeof shape extends fc.Arbitrary<infer T> ? T : never): InventedChain {
  const elapse = (random: Random) => BigInt(random.pick(steps))
  return inventedChain({ ...rest, elapse, transactions: [0, 3], accounts: 5 })
}

/** Stores a chain with its reorgs, and returns the blocks that remain. */
async function fill(
  store: EvmStore,
  which: EvmChain,
  first: InventedChain,
  course: readonly { readonly grown: number; readonly undone: number }[],
): Promise<readonly InventedParts[]> {
  const writer = await EvmWriter.open(store, which)
  if (writer.cursor !== undefined) await writer.undo(-1n)
  let current = first
  let kept = 0
  for (const [i, { grown, undone }] of course.entries()) {
    const blocks = current.grow(grown)
    await writer.commit(blocks.map((parts) => ({ block: BlockReader.read(parts), contracts: [] })))
    kept += grown
    if (i === course.length - 1 || undone === 0) continue
    kept = Math.max(0, kept - undone)
    await writer.undo(BigInt(kept) - 1n)
    current = current.branch(BigInt(kept) - 1n, `turn ${i}`)
  }
  return current.blocks.slice(0, kept)
}

/**
 * Returns all points of a metric as `start value` lines. If `alone` is true, requests for later pages contain
 * only the page token; otherwise they repeat all parameters.
 */
async function allPages(asked: Omit<MetricRequest, 'pageToken'>, alone: boolean): Promise<string[]> {
  const lines: string[] = []
  let pageToken: string | undefined
  do {
    const bare = { ...asked, interval: undefined, from: undefined, until: undefined }
    const page = await metricPage(
      context,
      tokens,
      { ...(alone && pageToken !== undefined ? bare : asked), pageToken },
      new AbortController().signal,
    )
    expect(page.points.length).toBeLessThanOrEqual(asked.limit)
    lines.push(...page.points.map(({ start, value }) => `${start} ${value}`))
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return lines
}

/**
 * Returns a time range near the block with the index `at`. For hourly metrics, long ranges would contain
 * mostly empty points.
 */
function rangeOf(blocks: readonly InventedParts[], at: number, hours: number) {
  const time = Number(blocks[at % blocks.length]?.block['timestamp'])
  return { from: Math.max(0, time - hours * 1_800), until: time + hours * 1_800 }
}

test(`calculates every metric of ${CHAINS} chains like the reference implementation`, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      ...([shape, turns, fc.nat(), fc.integer({ min: 1, max: 60 }), fc.boolean()] as const),
      async (made, course, at, limit, alone) => {
        const blocks = await fill(stores[0], chain, invent(made), course)
        if (blocks.length === 0) return
        const plain = plainMetrics(blocks)
        for (const interval of Periods.PERIODS) {
          const range = interval === 'hour' ? rangeOf(blocks, at, 1 + (at % 40)) : EVER
          const starts = plain.starts(interval, range)
          for (const [i, metric] of METRIC_NAMES.entries()) {
            if (METRICS[metric].isDaily && interval !== 'day') continue
            const bounds =
              interval === 'hour' ? { from: BigInt(range.from), until: BigInt(range.until) } : undefined
            const asked = {
              chainId: chain.chainId,
              metric,
              interval,
              from: bounds?.from,
              until: bounds?.until,
              // Every fifth metric is read in several pages.
              limit: (at + i) % 5 === 0 ? limit : 2_160,
            }
            const expected = starts.map((start) => `${start} ${plain.value(metric, interval, start)}`)
            expect([metric, interval, await allPages(asked, alone)]).toEqual([metric, interval, expected])
            compared += expected.length
          }
        }
      },
    ),
    { numRuns: CHAINS, endOnFailure: true },
  )
  console.log(`compared ${compared} points`)
})

test('returns the sum over several chains, or the highest value for maximum metrics', async () => {
  await fc.assert(
    fc.asyncProperty(shape, shape, turns, async (one, two, course) => {
      const filled = await Promise.all([
        fill(stores[0], chain, invent(one), course),
        fill(stores[1], other, invent(two), course),
      ])
      const together = filled.filter((blocks) => blocks.length > 0)
      if (together.length < 2) return
      const plains = together.map(plainMetrics)
      const days = plains.flatMap((plain) => plain.starts('day', EVER))
      const count = (Math.max(...days) - Math.min(...days)) / 86_400 + 1
      for (const metric of METRIC_NAMES) {
        if (metric === 'avgGasPrice') continue
        const lines = await allPages(
          { chainId: 'total', metric, interval: 'day', from: undefined, until: undefined, limit: 2_160 },
          false,
        )
        expect(lines).toHaveLength(count)
        for (const line of lines.filter((_, i) => i % 7 === 0)) {
          const [start = ''] = line.split(' ')
          const values = plains.map((plain) => plain.value(metric, 'day', Number(start)))
          const expected = metric.startsWith('max')
            ? values.toSorted((a, b) => Number(a) - Number(b)).at(-1)
            : values.reduce((all, value) =>
                typeof all === 'bigint' ? all + BigInt(value) : all + Number(value),
              )
          expect([metric, line]).toEqual([metric, `${start} ${expected}`])
        }
      }
    }),
    { numRuns: Math.max(3, Math.floor(CHAINS / 20)), endOnFailure: true },
  )
})
