import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { explain, listening } from '@firn/sql/testing'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import * as Logs from './queries/Logs.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'

const CHAIN = inventedChain({ seed: 11, transactions: [2, 8], accounts: 5 })
const BLOCKS = CHAIN.grow(80).map((parts) => BlockReader.read(parts))

/** The logs of the chain as the queries return them, oldest first. */
const LOGS: readonly Logs.Log[] = BLOCKS.flatMap((block) =>
  block.transactions.flatMap((transaction) =>
    transaction.logs.map(({ index, address, topics, data }) => ({
      height: block.height,
      logIndex: index,
      ...{ address, topics, data },
      transactionIndex: transaction.index,
      transactionHash: transaction.hash,
      blockHash: block.hash,
      time: block.timestamp,
      timeMilliseconds: block.timestampMilliseconds ?? null,
    })),
  ),
)
const text = (bytes: Uint8Array | undefined) => String(bytes)

function isMatch({ addresses, topics }: Logs.LogFilter, log: Logs.Log): boolean {
  const isIn = (list: readonly Uint8Array[], value: Uint8Array | undefined) =>
    value !== undefined && (list.length === 0 || list.some((one) => text(one) === text(value)))
  return isIn(addresses, log.address) && topics.every((list, i) => isIn(list, log.topics[i]))
}

/** Filters with addresses and topics of the chain's logs, and with others. */
const FILTERS = fc
  .record({
    samples: fc.array(fc.nat({ max: LOGS.length - 1 }), { minLength: 1, maxLength: 3 }),
    hasAddress: fc.boolean(),
    topics: fc.array(fc.constantFrom('any', 'same', 'unknown'), { maxLength: 4 }),
  })
  .map(({ samples, hasAddress, topics }): Logs.LogFilter => {
    const logs = samples.map((i) => LOGS[i] as Logs.Log)
    return {
      addresses: hasAddress ? logs.map(({ address }) => address) : [],
      topics: topics.map((kind, i) => {
        if (kind === 'any') return []
        return kind === 'unknown' ? [new Uint8Array(32).fill(7)] : logs.flatMap((log) => log.topics[i] ?? [])
      }),
    }
  })

const QUERIES = fc.record({
  order: fc.constantFrom('asc' as const, 'desc' as const),
  from: fc.option(fc.bigInt(0n, 60n), { nil: undefined }),
  until: fc.option(fc.bigInt(20n, 90n), { nil: undefined }),
  limit: fc.constantFrom(1, 7, 10_000),
  mostExamined: fc.constantFrom(1, 30, 20_000),
  mostBytes: fc.constantFrom(1, 300, 1_000_000),
})

eachDatabase(({ name, openEvm }) => {
  describe('EvmLogs.page', () => {
    let store: EvmStore
    beforeAll(async () => {
      store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(BLOCKS.map((block) => ({ block, contracts: [] })))
    })

    /** Returns the logs of all pages. */
    async function walk(of: EvmStore, filter: Logs.LogFilter, query: Omit<Logs.LogQuery, 'after'>) {
      const at = await store.snapshot()
      const found: Logs.Log[] = []
      for (let after: Logs.LogPlace | undefined; ; ) {
        const { logs, stoppedAt } = await Logs.page(of, at, filter, { ...query, after })
        found.push(...logs)
        if (logs.length < query.limit && stoppedAt === undefined) return found
        after = stoppedAt ?? logs.at(-1)
      }
    }

    test('returns the matching logs of a range in pages, in both orders', async () => {
      expect(LOGS.length).toBeGreaterThan(300)
      await fc.assert(
        fc.asyncProperty(FILTERS, QUERIES, async (filter, query) => {
          const { from = 0n, until = 80n } = query
          const expected = LOGS.filter(
            (log) => log.height >= from && log.height < until && isMatch(filter, log),
          )
          // Small pages are only walked through for few logs.
          const isLong = query.mostExamined === 1 || query.limit === 1 || query.mostBytes === 1
          const bounds = isLong ? { from: from < 70n ? 70n : from } : {}
          const kept = isLong ? expected.filter(({ height }) => height >= 70n) : expected
          const found = await walk(store, filter, { ...query, ...bounds })
          expect(found).toEqual(query.order === 'asc' ? kept : kept.toReversed())
        }),
        { numRuns: 40 },
      )
    })

    // Plans on Citus are made by its workers.
    test.skipIf(name === 'Citus')('reads by an index of the log table for every kind of filter', async () => {
      await store.driver.transaction((session) => session.query('analyze'))
      const heard = listening(store as never)
      const log = LOGS.find(({ topics }) => topics.length === 4) as Logs.Log
      const none = [[], [], [], []] as Uint8Array[][]
      const filters = [
        { addresses: [log.address], topics: [] },
        { addresses: [], topics: [] },
        { addresses: [log.address], topics: [log.topics.slice(0, 1)] },
        ...log.topics.map((topic, i) => ({ addresses: [], topics: none.with(i, [topic]).slice(0, i + 1) })),
      ]
      for (const filter of filters) {
        await walk(heard.store as never, filter, { order: 'desc', limit: 5, from: 60n })
        for (const statement of heard.take()) {
          const plan = (await explain(store as never, statement)).join('\n')
          expect(/Seq Scan on log_\d/.exec(plan)?.[0] ?? 'index').toBe('index')
        }
      }
    })
  })

  test('EvmLogs.completeFrom returns the height from which logs are stored', async () => {
    const store = await openEvm()
    expect(await Logs.completeFrom(store)).toBeUndefined()
    await EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: 7n })
    expect(await Logs.completeFrom(store)).toBe(7n)
    await EvmWriter.open(store, { ...TEST_CHAIN, firstHeight: 7n }, { logs: false })
    expect(await Logs.completeFrom(store)).toBeUndefined()
  })
})
