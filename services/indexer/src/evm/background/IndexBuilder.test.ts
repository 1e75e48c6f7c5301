import { EventAbi } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { EvmDoctor, EvmEvents, type EvmStore } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { database, TestPostgres } from '@firn/sql/testing'
import { expect, it } from 'vitest'
import { createEvmNode } from '../../testing/EvmNode.ts'
import { createFakeContracts } from '../../testing/evmContracts.ts'
import { startProcess } from '../../testing/evmProcess.ts'
import { CHAIN, indexOnce } from '../../testing/evmStores.ts'
import { CHAIN_ID, openTarget, until } from '../../testing/reliability.ts'
import { extend } from '../../testing/transferChain.ts'
import { createEvmIndexer, type EvmIndexer } from '../EvmIndexer.ts'

const chainId = 4_242n
const missing = (store: EvmStore) => database(store).selectFrom('deferred_index').selectAll().execute()
const faults = async (store: EvmStore) => (await EvmDoctor.check(store)).faults

/** Returns the exported number of missing indexes. */
async function missingMetric({ metrics }: EvmIndexer): Promise<number | undefined> {
  const metric = await metrics.getSingleMetric('firn_evm_missing_indexes')?.get()
  return metric?.values[0]?.value
}

/** Runs an indexer until `isDone` returns true. */
async function run(indexer: EvmIndexer, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  const isReached = await until(isDone)
  stop.abort()
  await running
  expect(isReached).toBe(true)
}

it('fills a chain without indexes, builds them near the head, and then checks balances', async () => {
  const call = createFakeContracts(inventedFacts)
  const chain = inventedChain({ seed: 5 })
  const node = await createEvmNode({ chainId, blocks: [...chain.grow(40)], call })
  const store = await openEvm({ chainId })
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: node.wsUrl }], buildsIndexesLater: true }],
    pollMs: 20,
  })
  await run(indexer, () => indexer.status()[0]?.phase === 'tip' && indexer.status()[0]?.checkedHeight === 39n)
  expect(await missing(store)).toEqual([])
  expect((await store.snapshot()).height).toBe(39n)
  expect(await faults(store)).toEqual([])
  await Promise.all([node.close(), store.close()])
})

it('builds the indexes at the next start without the option', async () => {
  const blocks = extend([], 1_200, { name: 'early', transactions: 1 })
  const node = await createEvmNode({ chainId, blocks })
  // The node is slow, so the head is far away.
  node.faults = { slowMs: 40 }
  const store = await openEvm({ chainId })
  const open = (buildsIndexesLater: boolean) =>
    createEvmIndexer({
      chains: [{ store, chain: CHAIN, upstreams: [{ url: node.url }], buildsIndexesLater }],
      pollMs: 20,
      concurrency: 1,
      maxBatch: 8,
    })
  const later = open(true)
  await run(later, () => (later.status()[0]?.height ?? 0n) > 12n)
  expect((await missing(store)).length).toBeGreaterThan(20)
  expect(await missingMetric(later)).toBe((await missing(store)).length)
  await expect(store.snapshot()).rejects.toMatchObject({ code: 'STORE_UNINDEXED' })
  node.faults = { slowMs: 500 }
  const next = open(false)
  await run(next, async () => (await missing(store)).length === 0 && (await missingMetric(next)) === 0)
  expect((await store.snapshot()).height).toBeLessThan(1_200n - 1_088n)
  await Promise.all([node.close(), store.close()])
})

it('decodes events after the indexes are built, with once', async () => {
  const chain = inventedChain({ seed: 6 })
  const node = await createEvmNode({
    chainId,
    blocks: [...chain.grow(40)],
    call: createFakeContracts(inventedFacts),
  })
  const [store, other] = [await openEvm({ chainId }), await openEvm({ chainId })]
  const [event] = EventAbi.parse([
    {
      type: 'event',
      name: 'Transfer',
      inputs: [
        { name: 'from', type: 'address', indexed: true },
        { name: 'to', type: 'address', indexed: true },
        { name: 'value', type: 'uint256' },
      ],
    },
  ])
  const events = event === undefined ? [] : [{ abi: 'token', event, addresses: [] }]
  await indexOnce(store, [node.url], { buildsIndexesLater: true, events })
  await indexOnce(other, [node.url], { events })
  expect(await missing(store)).toEqual([])
  expect(await faults(store)).toEqual([])
  const rows = (one: EvmStore) => EvmEvents.tables(one)
  expect(await rows(store)).toEqual(await rows(other))
  await Promise.all([node.close(), store.close(), other.close()])
})

it.skipIf(TestPostgres.missing() !== undefined)(
  'continues after the process is killed while it fills and while it builds',
  { tags: ['postgres'] },
  async () => {
    const target = await openTarget()
    const { store } = target
    const blocks = extend([], 1_200, { name: 'killed', transactions: 2 })
    const node = await createEvmNode({ chainId: CHAIN_ID, blocks })
    node.faults = { slowMs: 20 }
    const settings = { pollMs: 50, concurrency: 1, maxBatch: 8 }
    const start = () =>
      startProcess({
        url: target.url,
        schema: target.schema,
        chainId: Number(CHAIN_ID),
        upstreams: [node.url],
        buildsIndexesLater: true,
        settings,
      })
    const filling = start()
    expect(await until(() => filling.height() > 12)).toBe(true)
    await filling.end('SIGKILL')
    const all = (await missing(store)).length
    expect(all).toBeGreaterThan(20)
    // The lock keeps the first index from being built.
    let building = start()
    await store.driver.transaction(async (session) => {
      await session.query('lock table block in row exclusive mode')
      node.faults = {}
      const waiting = `select from pg_stat_activity where query like 'create index on block%' and wait_event_type = 'Lock'`
      expect(await until(async () => (await store.driver.control(waiting)).length > 0)).toBe(true)
      await building.end('SIGKILL')
    })
    expect((await missing(store)).length).toBe(all)
    building = start()
    expect(await until(async () => building.height() === 1_199 && (await missing(store)).length === 0)).toBe(
      true,
    )
    await building.end('SIGTERM')
    expect(building.errors()).toBe('')
    expect(await target.difference(blocks)).toBeUndefined()
    expect(await faults(store)).toEqual([])
    await node.close()
    await target.close()
  },
)
