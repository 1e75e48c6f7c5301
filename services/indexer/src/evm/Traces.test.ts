import { openEvm } from '@firn/store/testing'
import { afterEach, expect, it } from 'vitest'
import { createEvmNode } from '../testing/EvmNode.ts'
import { CHAIN } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { extend } from '../testing/transferChain.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

const chainId = 4_242n
const blocks = extend([], 30, { name: 'heavy' })
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Follows a node that needs `ms` for the traces of block 20. */
const follow = async (ms: number, traceTimeoutMs: number) => {
  const node = await createEvmNode({ chainId, blocks })
  node.faults = { slowTraces: { height: 20, ms } }
  const store = await openEvm({ chainId })
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: node.url, timeoutMs: 200 }] }],
    pollMs: 20,
    longestPauseMs: 50,
    traceTimeoutMs,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  ends.push(
    () => node.close(),
    () => store.close(),
    async () => {
      stop.abort()
      await running
    },
  )
  return { node, status: () => indexer.status()[0] }
}

it('gives a node more time for the traces of a large block, and does not repeat a request that may still run', async () => {
  const { node, status } = await follow(1_500, 60_000)
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  expect(status()?.problems).toEqual([])
  // In a batch with 0.2 seconds, and alone with 0.8 and 3.2 seconds.
  expect(node.traced.asked).toBeLessThanOrEqual(3)
  expect(node.traced.most).toBeLessThanOrEqual(2)
})

it('says what it waits for if the traces take longer than the limit', async () => {
  const { node, status } = await follow(1e9, 800)
  expect(await until(() => status()?.height === 19n)).toBe(true)
  expect(await until(() => status()?.problems.join().includes('traces') === true)).toBe(true)
  expect(status()?.problems.join()).toMatch(/127\.0\.0\.1:\d+ did not return traces in time/)
  node.faults = {}
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
})
