import { setTimeout } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { EvmStore } from '@firn/evm-store'
import { database, TestPostgres } from '@firn/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvmIndexer, type EvmIndexer } from '../evm/EvmIndexer.ts'
import type { EvmIndexerOptions } from '../evm/EvmIndexerOptions.ts'
import type { ChildOptions } from './evmChild.ts'
import { type Contents, difference, expectedContents, storedContents } from './evmContents.ts'
import type { NodeBlock } from './evmMethods.ts'
import { type IndexingProcess, startProcess } from './evmProcess.ts'

/**
 * Whether to run the long form of the scenarios. It uses the durations that the names of the checks mention,
 * and runs each scenario three times.
 */
export const IS_LONG = process.env['FIRN_RELIABILITY'] === 'long'
const RUNS = IS_LONG ? 3 : 1

/** Returns `long` in the long form of the scenarios, and `short` in the short form. */
export const either = (long: number, short: number): number => (IS_LONG ? long : short)

export const CHAIN_ID = 31_337n

/** Collects the results of a scenario's run. For tests only. */
export interface Report {
  /** Records whether a check passed. A check that is recorded several times must pass each time. */
  check(name: string, holds: boolean, words?: string): void
  measure(name: string, value: number, unit: string): void
}

/**
 * Runs a scenario the configured number of times. Each of its checks becomes a test of the same name. For
 * tests only.
 */
export function scenario(
  name: string,
  checks: readonly string[],
  run: (report: Report) => Promise<void>,
): void {
  const reason = TestPostgres.missing()
  describe.skipIf(reason !== undefined)(name, { tags: reason === undefined ? [] : ['postgres'] }, () => {
    const results: Map<string, string>[] = []
    const measures = new Map<string, number[]>()
    beforeAll(async () => {
      for (let i = 0; i < RUNS; i++) {
        const result = new Map<string, string>()
        results.push(result)
        await run({
          check(check, holds, words = 'failed without a reason') {
            if (!checks.includes(check))
              throw new RangeError(`unknown check "${check}": add it to the scenario's list of checks`)
            if (!holds || !result.has(check)) result.set(check, holds ? 'passed' : words)
          },
          measure: (what, value, unit) =>
            measures.set(`${what}, ${unit}`, [...(measures.get(`${what}, ${unit}`) ?? []), value]),
        })
      }
    })
    it.each(checks)('%s', (check) => {
      expect(results.map((result) => result.get(check) ?? 'not checked')).toEqual(results.map(() => 'passed'))
    })
    afterAll(() => {
      for (const [what, values] of measures)
        process.stdout.write(
          `${name}: ${what}: ${values.map((value) => Math.round(value * 10) / 10).join(' / ')}\n`,
        )
    })
  })
}

/** Waits until a condition holds. For tests only. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  ms = Number(process.env['FIRN_WAIT_MS'] ?? Number.POSITIVE_INFINITY),
): Promise<boolean> {
  const end = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > end) return false
    await setTimeout(10)
  }
  return true
}

let schemas = 0

/** A database schema that tests read while an indexer writes it. For tests only. */
export interface Target {
  readonly url: string
  readonly schema: string
  readonly store: EvmStore
  /** Returns the height of the newest stored block; -1 if no block is stored, -2 if the height is unknown. */
  height(): Promise<number>
  /**
   * Describes how the stored contents differ from the given chain. Returns undefined if they are equal. With
   * `through`, only blocks up to this height are compared.
   */
  difference(blocks: readonly NodeBlock[], through?: number): Promise<string | undefined>
  contents(): Promise<Contents>
  close(): Promise<void>
}

/** Opens a new schema. For tests only. */
export async function openTarget(url?: string): Promise<Target> {
  const at = url ?? (await TestPostgres.url())
  schemas += 1
  const schema = `reliable_${process.pid}_${schemas}`
  const store = await EvmStore.open({ url: at, schema, chainId: CHAIN_ID, connections: 2 })
  await store.migrate()
  const cursor = () => database(store).selectFrom('cursor').selectAll().executeTakeFirst()
  return {
    url: at,
    schema,
    store,
    async height() {
      try {
        return Number((await cursor())?.height ?? -1n)
      } catch {
        return -2
      }
    },
    async difference(blocks, through = blocks.length - 1) {
      const at = await cursor()
      const expected = blocks.slice(0, through + 1)
      const hash = expected.at(-1)?.block['hash']
      if (at === undefined && expected.length > 0) return 'no cursor'
      if (at !== undefined && Hex.encode(at.hash) !== hash)
        return `the cursor does not match the stored block at height ${at.height}`
      return difference(await storedContents(store), expectedContents(expected))
    },
    contents: () => storedContents(store),
    async close() {
      await database(store).schema.dropSchema(schema).ifExists().cascade().execute()
      await store.close()
    },
  }
}

/** Settings of the indexer under test. For tests only. */
export type Settings = ChildOptions['settings']

/**
 * Settings that slow the indexer down, which gives tests time to cause failures: few calls per request, one
 * request at a time, and small batches.
 */
export const SLOW: Settings = { batchBlocks: 16, concurrency: 1, maxBatch: 8 }

/** Starts an indexing process that writes to a schema. For tests only. */
export function startIndexer(
  target: Target,
  upstreams: readonly string[],
  settings: Settings = {},
): IndexingProcess {
  const { url, schema } = target
  return startProcess({
    url,
    schema,
    chainId: Number(CHAIN_ID),
    upstreams,
    settings: { pollMs: 100, ...settings },
  })
}

/** An indexer that runs in the process of the test. For tests only. */
export interface IndexerInTest {
  readonly indexer: EvmIndexer
  /** Returns the error with which the indexer ended. */
  readonly failure: () => unknown
  counter(name: string): Promise<number>
  stop(): Promise<void>
}

/** Starts an indexer that writes to a schema, in the process of the test. For tests only. */
export function startIndexerInTest(
  target: Target,
  upstreams: readonly string[],
  settings: Partial<EvmIndexerOptions> & { readonly timeoutMs?: number } = {},
): IndexerInTest {
  const { timeoutMs = 15_000, ...rest } = settings
  const indexer = createEvmIndexer({
    chains: [
      {
        store: target.store,
        chain: {
          name: 'Reliability',
          network: 'local',
          token: { name: 'Coin', symbol: 'COIN', decimals: 18 },
        },
        upstreams: upstreams.map((url) => ({ url, timeoutMs })),
      },
    ],
    pollMs: 100,
    ...rest,
  })
  const stop = new AbortController()
  let failure: unknown
  const running = indexer.run(stop.signal).catch((error: unknown) => {
    failure = error
  })
  return {
    indexer,
    failure: () => failure,
    async counter(name) {
      const found = await indexer.metrics.getSingleMetric(`firn_evm_${name}`)?.get()
      return (found?.values ?? []).reduce((sum, { value }) => sum + value, 0)
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}
