import { type InventedChain, inventedChain, inventedFacts } from '@firn/evm/testing'
import { EvmDoctor, type EvmStore } from '@firn/evm-store'
import { evmContents, openEvm } from '@firn/evm-store/testing'
import { createTimerClock } from '@firn/runtime/testing'
import { afterEach, expect, it } from 'vitest'
import { createEvmNode, type EvmNode } from '../testing/EvmNode.ts'
import { createFakeContracts } from '../testing/evmContracts.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

const chainId = 4_242n
const call = createFakeContracts(inventedFacts)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Returns a chain of calls among contracts that create further ones. */
const chainOf = (length: number): InventedChain => {
  const chain = inventedChain({ seed: 11, transactions: [1, 4] })
  chain.grow(length)
  return chain
}

const openNode = async (blocks: readonly NodeBlock[]) => {
  const node = await createEvmNode({ chainId, blocks, call })
  ends.push(() => node.close())
  return node
}

const openStore = async () => {
  const store = await openEvm({ chainId })
  ends.push(() => store.close())
  return store
}

/**
 * Returns a `fetch` that aborts only requests for slow traces. A busy machine may answer others after the short time limit
 * that these tests set.
 */
const abortingSlow =
  (node: EvmNode, isAborted = () => true): typeof fetch =>
  (url, { signal, ...init } = {}) =>
    fetch(url, isAborted() && node.isSlow(String(init.body)) ? { ...init, signal: signal ?? null } : init)

/** Starts an indexer, which ends with the test or by `stop`. */
const start = (
  store: EvmStore,
  nodes: readonly EvmNode[],
  traceTimeoutMs: number,
  isAborted?: () => boolean,
) => {
  const upstreams = nodes.map((node) => ({
    url: node.url,
    timeoutMs: 200,
    fetch: abortingSlow(node, isAborted),
  }))
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams }],
    pollMs: 20,
    longestPauseMs: 50,
    traceTimeoutMs,
    clock: createTimerClock(),
  })
  const ended = new AbortController()
  const running = indexer.run(ended.signal)
  const stop = async () => {
    ended.abort()
    await running
  }
  ends.push(stop)
  return { stop, status: () => indexer.status()[0], metrics: () => indexer.metrics.metrics() }
}

/** Compares all rows with the rows of an indexer whose node returned all traces at once. */
const expectHonest = async (store: EvmStore, blocks: readonly NodeBlock[]) => {
  const [node, honest] = await Promise.all([openNode(blocks), openStore()])
  await indexOnce(honest, [node.url])
  const isFresh = async () => (await EvmDoctor.completeness(store))[0]?.isDigestStale === false
  expect(await until(isFresh)).toBe(true)
  expect(await evmContents(store)).toEqual(await evmContents(honest))
  expect(await EvmDoctor.check(store)).toMatchObject({ faults: [], untraced: [] })
}

it('gives a node more time for the traces of a large block, and does not repeat a request that may still run', async () => {
  const node = await openNode(chainOf(30).blocks)
  node.faults = { slowTraces: { heights: [20], ms: 1_500 } }
  const { status } = start(await openStore(), [node], 60_000, () => node.traced.asked < 3)
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  expect(status()).toMatchObject({ problems: [], warnings: [], tracedHeight: 29n, untracedBlocks: 0 })
  // In a batch with 0.2 seconds, and alone with 0.8 and 3.2 seconds.
  expect(node.traced.asked).toBeLessThanOrEqual(3)
  expect(node.traced.most).toBeLessThanOrEqual(2)
})

it('goes on without the traces of a block that no node returns, says so, and adds them later', async () => {
  const { blocks } = chainOf(30)
  const [node, other, store] = await Promise.all([openNode(blocks), openNode(blocks), openStore()])
  for (const one of [node, other]) one.faults = { slowTraces: { heights: [20], ms: 1e9 } }
  const { status, metrics } = start(store, [node, other], 800)
  const isTold = () => /127\.0\.0\.1:\d+ did not return traces in time/.test(`${status()?.problems}`)
  expect(await until(isTold)).toBe(true)
  const isLeft = () => status()?.untracedBlocks === 1 && status()?.problems.length === 0
  expect(await until(() => status()?.phase === 'tip' && isLeft())).toBe(true)
  expect(status()).toMatchObject({ height: 29n, tracedHeight: 19n })
  expect(status()?.warnings).toEqual([
    expect.stringMatching(/^internal calls of block 20 of chain 4242 are missing/),
  ])
  expect(await metrics()).toContain('firn_evm_traced_height{chain="4242"} 19\n')
  expect(await metrics()).toContain('firn_evm_untraced_blocks{chain="4242"} 1\n')
  expect(await EvmDoctor.check(store)).toMatchObject({ faults: [], untraced: [20n] })
  for (const one of [node, other]) one.faults = {}
  expect(await until(() => status()?.untracedBlocks === 0)).toBe(true)
  expect(status()).toMatchObject({ tracedHeight: 29n, problems: [], warnings: [] })
  await expectHonest(store, blocks)
})

it('takes the traces from another node while one cannot return them', async () => {
  const { blocks } = chainOf(30)
  const [node, other, store] = await Promise.all([openNode(blocks), openNode(blocks), openStore()])
  node.faults = { slowTraces: { heights: [20], ms: 1e9 } }
  const { status } = start(store, [node, other], 800)
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  expect(status()).toMatchObject({ tracedHeight: 29n, untracedBlocks: 0 })
})

it('fills in the traces of many blocks after a restart and a reorg, and equals an index without gaps', async () => {
  let chain = chainOf(40)
  const [node, store] = await Promise.all([openNode(chain.blocks), openStore()])
  const slow = [3, 4, 5, 6, 7, 8, 20, 33, 36]
  node.faults = { slowTraces: { heights: slow, ms: 1e9 } }
  const first = start(store, [node], 400)
  expect(await until(() => first.status()?.phase === 'tip' && first.status()?.untracedBlocks === 9)).toBe(
    true,
  )
  expect(first.status()).toMatchObject({ tracedHeight: 2n, problems: [] })
  chain = chain.branch(31n, 'fork')
  chain.grow(14)
  node.publish(chain.blocks)
  // Blocks 33 and 36 of the new branch are as slow as those that they replace.
  expect(await until(() => first.status()?.height === 45n && first.status()?.untracedBlocks === 9)).toBe(true)
  node.faults = { slowTraces: { heights: [4, 20, 36], ms: 1e9 } }
  expect(await until(() => first.status()?.untracedBlocks === 3)).toBe(true)
  await first.stop()
  node.faults = {}
  const second = start(store, [node], 400)
  expect(await until(() => second.status()?.phase === 'tip' && second.status()?.untracedBlocks === 0)).toBe(
    true,
  )
  await expectHonest(store, chain.blocks)
})

it.each([
  ['the traces are too large', { code: -32_003, message: 'response too large' }],
  ['they take the node longer than its own limit', { code: -32_000, message: 'execution timeout' }],
])('stores a block without its traces if %s, after the time limit', async (_reason, answer) => {
  const { blocks } = chainOf(12)
  const [node, store] = await Promise.all([openNode(blocks), openStore()])
  node.faults = { refusedTraces: { heights: [6], ...answer } }
  const { status, stop } = start(store, [node], 60_000)
  expect(await until(() => status()?.height === 5n)).toBe(true)
  expect(await until(() => status()?.problems.join().includes('traces') === true)).toBe(true)
  expect(status()).toMatchObject({ height: 5n, untracedBlocks: 0 })
  await stop()
  const again = start(store, [node], 800)
  expect(await until(() => again.status()?.phase === 'tip' && again.status()?.untracedBlocks === 1)).toBe(
    true,
  )
  expect(again.status()).toMatchObject({ tracedHeight: 5n, problems: [] })
})

it('does not leave a block behind whose traces a node refuses for another reason', async () => {
  const { blocks } = chainOf(12)
  const [node, store] = await Promise.all([openNode(blocks), openStore()])
  node.faults = { refusedTraces: { heights: [6], code: -32_000, message: 'missing trie node' } }
  const { status } = start(store, [node], 400)
  const isRefused = () => status()?.problems.join().includes('missing trie node') === true
  expect(await until(() => status()?.height === 5n && isRefused())).toBe(true)
  expect(status()).toMatchObject({ height: 5n, untracedBlocks: 0 })
  node.faults = {}
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
})
