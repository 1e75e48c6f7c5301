import { Hex } from '@firn/codec'
import { inventedChain, inventedFacts, recordedChain } from '@firn/evm/testing'
import { type EvmChain, type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { type Logger, silentLogger } from '@firn/runtime'
import { database } from '@firn/sql/testing'
import { expect, it } from 'vitest'
import { createEvmNode } from '../testing/EvmNode.ts'
import { createFakeContracts } from '../testing/evmContracts.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { extend } from '../testing/transferChain.ts'
import { createEvmIndexer } from './EvmIndexer.ts'
import { readChainId } from './upstream/readChainId.ts'

const chainId = 4_242n
const cursorOf = async (store: EvmStore) =>
  (await database(store).selectFrom('cursor').selectAll().executeTakeFirst())?.height

it('stores only the final branch after several reorgs of a generated chain, on PGlite', async () => {
  const call = createFakeContracts(inventedFacts)
  let chain = inventedChain({ seed: 5 })
  chain.grow(60)
  const node = await createEvmNode({ chainId, blocks: chain.blocks, call })
  const store = await openEvm({ chainId })
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: node.wsUrl }] }],
    pollMs: 20,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  const isAt = () => until(() => indexer.status()[0]?.height === BigInt(chain.blocks.length - 1))
  expect(await isAt()).toBe(true)
  for (const [depth, name] of [
    [3n, 'a'],
    [1n, 'b'],
    [20n, 'c'],
  ] as const) {
    chain = chain.branch(BigInt(chain.blocks.length - 1) - depth, name)
    chain.grow(Number(depth) + 2)
    node.publish(chain.blocks)
    expect(await isAt()).toBe(true)
  }
  stop.abort()
  await running
  expect(indexer.status()[0]).toMatchObject({ phase: 'stopped', problems: [] })
  const other = await openEvm({ chainId })
  await indexOnce(other, [node.url])
  for (const table of [
    'block',
    'transaction',
    'transfer',
    'creation',
    'contract',
    'token_balance',
    'rollup',
  ] as const) {
    const rows = async (one: EvmStore) =>
      (await database(one).selectFrom(table).selectAll().execute()).map((row) => textOf(row)).sort()
    expect(await rows(store)).toEqual(await rows(other))
  }
  const contracts = await database(store).selectFrom('contract').selectAll().execute()
  const kinds = { 'ERC-20': 20, 'ERC-721': 721, 'ERC-1155': 1155, UNKNOWN: 0 }
  expect(contracts.length).toBeGreaterThan(4)
  for (const { address, standard, symbol } of contracts) {
    const facts = inventedFacts(address)
    expect([standard, symbol && Hex.encode(symbol)]).toEqual([
      kinds[facts.kind],
      facts.symbol === undefined ? null : Hex.encode(facts.symbol),
    ])
  }
  await Promise.all([node.close(), store.close(), other.close()])
})

const textOf = (row: object): string =>
  JSON.stringify(Object.entries(row).sort(), (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? Hex.encode(value) : value,
  )

it.each(['c', 'l1'] as const)('indexes the recorded chain %s with its traces', async (name) => {
  const blocks = recordedChain(name) as readonly NodeBlock[]
  const node = await createEvmNode({ chainId, blocks })
  const store = await openEvm({ chainId: chainId })
  await indexOnce(store, [node.url])
  expect((await store.chain())?.hasTraces).toBe(true)
  expect(await cursorOf(store)).toBe(BigInt(blocks.length - 1))
  const { count } = await database(store)
    .selectFrom('transaction')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(blocks.reduce((sum, { receipts }) => sum + (receipts as unknown[]).length, 0))
  await Promise.all([node.close(), store.close()])
})

it('starts to index a chain at the given height, and resumes where it stopped', async () => {
  const blocks = extend([], 40, { name: 'later' })
  const node = await createEvmNode({ chainId, blocks, head: 25 })
  const store = await openEvm({ chainId: chainId })
  await indexOnce(store, [node.url], { firstHeight: 20n })
  expect(await cursorOf(store)).toBe(25n)
  node.publish(blocks)
  node.asked.lowest = Number.POSITIVE_INFINITY
  await indexOnce(store, [node.url])
  expect(await cursorOf(store)).toBe(39n)
  expect(node.asked.lowest).toBe(26)
  await Promise.all([node.close(), store.close()])
})

it('indexes several chains in one process, without waiting for stalled or failed chains, and tries those again', async () => {
  const blocks = extend([], 20, { name: 'one of many' })
  const ids = [1n, 2n, 3n]
  const nodes = await Promise.all(ids.map((id) => createEvmNode({ chainId: id, blocks })))
  const stores = await Promise.all(ids.map((id) => openEvm({ chainId: id })))
  const [stalled, foreign] = nodes
  if (stalled !== undefined) stalled.faults = { mode: 'hang' }
  if (foreign !== undefined) foreign.faults = { chainId: 9n }
  const indexer = createEvmIndexer({
    chains: stores.map((store, i) => ({
      store,
      chain: CHAIN,
      upstreams: [{ url: nodes[i]?.url ?? '', timeoutMs: nodes[i] === stalled ? 300 : 600_000 }],
    })),
    pollMs: 20,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  expect(await until(() => indexer.status()[2]?.phase === 'tip')).toBe(true)
  await until(() => indexer.status()[1]?.phase === 'failed')
  expect(indexer.status()[0]?.height).toBeUndefined()
  expect(indexer.status()[1]?.problems[0]).toMatch(/serves chain 9, expected chain 2/)
  const metrics = await indexer.metrics.metrics()
  expect(metrics).toMatch(/firn_evm_height\{chain="3"\} 19/)
  expect(metrics).toMatch(/firn_evm_healthy\{chain="2"\} 0/)
  expect(metrics).toMatch(/firn_evm_upstream_request_seconds_count\{upstream="[^"]+",outcome="ok"\} [1-9]/)
  if (foreign !== undefined) foreign.faults = {}
  expect(await until(() => indexer.status()[1]?.phase === 'tip')).toBe(true)
  expect(indexer.status()[1]?.problems).toEqual([])
  stop.abort()
  await running
  await Promise.all([...nodes.map((node) => node.close()), ...stores.map((store) => store.close())])
})

it('rejects nodes without traces if the stored blocks have traces', async () => {
  const blocks = extend([], 20, { name: 'traced' })
  const node = await createEvmNode({ chainId, blocks, head: 10 })
  const store = await openEvm({ chainId: chainId })
  await indexOnce(store, [node.url])
  node.publish(blocks)
  node.faults = { without: ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'trace_block'] }
  await expect(indexOnce(store, [node.url])).rejects.toMatchObject({ code: 'INDEXER_TRACES' })
  expect(await cursorOf(store)).toBe(10n)
  await Promise.all([node.close(), store.close()])
})

it('waits while the only node that serves traces is down', async () => {
  const blocks = extend([], 20, { name: 'traced' })
  const [plain, tracing] = await Promise.all([0, 1].map(() => createEvmNode({ chainId, blocks })))
  const store = await openEvm({ chainId: chainId })
  if (plain === undefined || tracing === undefined) throw new RangeError('no nodes')
  plain.faults = { without: ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'trace_block'] }
  tracing.faults = { mode: 'badGateway' }
  const indexing = indexOnce(store, [plain.url, tracing.url], { withTraces: true })
  expect(await until(() => tracing.requests() > 3)).toBe(true)
  expect(await cursorOf(store)).toBeUndefined()
  tracing.faults = {}
  await indexing
  expect(await cursorOf(store)).toBe(19n)
  await Promise.all([plain.close(), tracing.close(), store.close()])
})

it('stands by while another process writes the chain, and takes over when the other process stops', async () => {
  const blocks = extend([], 10, { name: 'standby' })
  const node = await createEvmNode({ chainId, blocks })
  const store = await openEvm({ chainId: chainId })
  const chains = [{ store, chain: CHAIN, upstreams: [{ url: node.url }] }]
  const stops = [new AbortController(), new AbortController()] as const
  const first = createEvmIndexer({ chains, pollMs: 20 })
  const running = first.run(stops[0].signal)
  expect(await until(() => first.status()[0]?.phase === 'tip')).toBe(true)
  const lines: string[] = []
  const log: Logger = {
    ...silentLogger,
    info: (_facts, message) => void lines.push(message.split(' ')[0] ?? ''),
  }
  const second = createEvmIndexer({ chains, pollMs: 20, log })
  const waiting = second.run(stops[1].signal)
  expect(await until(() => second.status()[0]?.phase === 'standby')).toBe(true)
  const more = extend(blocks, 3, { name: 'standby' })
  node.publish(more)
  expect(await until(() => second.status()[0]?.height === 12n)).toBe(true)
  expect(second.status()[0]).toMatchObject({ phase: 'standby', problems: [] })
  expect(await second.metrics.metrics()).toContain(`firn_evm_standby{chain="${chainId}"} 1`)
  stops[0].abort()
  await running
  expect(await until(() => second.status()[0]?.phase === 'tip')).toBe(true)
  node.publish(extend(more, 1, { name: 'standby' }))
  expect(await until(() => second.status()[0]?.height === 13n)).toBe(true)
  expect(lines.filter((line) => line !== 'connecting')).toEqual(['standing', 'following', 'reached'])
  stops[1].abort()
  await waiting
  await Promise.all([node.close(), store.close()])
})

it('resumes after another process took over the chain for a while', async () => {
  const blocks = extend([], 10, { name: 'fenced' })
  const node = await createEvmNode({ chainId, blocks })
  const store = await openEvm({ chainId: chainId })
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: [{ url: node.url }] }],
    pollMs: 20,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  await until(() => indexer.status()[0]?.phase === 'tip')
  await EvmWriter.open(store, (await store.chain()) as EvmChain)
  node.publish(extend(blocks, 1, { name: 'fenced' }))
  expect(await until(() => indexer.status()[0]?.height === 10n)).toBe(true)
  stop.abort()
  await running
  await Promise.all([node.close(), store.close()])
})

it('reads the chain id from the first node that answers', async () => {
  const node = await createEvmNode({ chainId, blocks: extend([], 1, { name: 'id' }) })
  const timing = { clock: { now: Date.now, sleep: async () => undefined }, random: () => 0 }
  const upstreams = [{ url: 'http://127.0.0.1:1' }, { url: node.url }]
  expect(await readChainId(upstreams, timing, new AbortController().signal)).toBe(chainId)
  await node.close()
})
