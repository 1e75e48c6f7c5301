import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import type { Logger } from '@firn/runtime'
import { StoreError } from '@firn/sql'
import { database } from '@firn/sql/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEvmNode, type EvmNode } from '../testing/EvmNode.ts'
import { storedContents } from '../testing/evmContents.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { extend, rewrite } from '../testing/transferChain.ts'
import { createEvmIndexer } from './EvmIndexer.ts'
import type { EvmIndexerOptions } from './EvmIndexerOptions.ts'

const chainId = 4_242n
const blocks = extend([], 40, { name: 'honest' })

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const end of ends.splice(0).reverse()) await end()
})

const nodeOf = async (chain: readonly NodeBlock[]): Promise<EvmNode> => {
  const node = await createEvmNode({ chainId, blocks: chain })
  ends.push(() => node.close())
  return node
}

const storeOf = async (): Promise<EvmStore> => {
  const store = await openEvm({ chainId })
  ends.push(() => store.close())
  return store
}

const following = (
  store: EvmStore,
  nodes: readonly EvmNode[],
  more: Partial<EvmIndexerOptions> = {},
  network: 'local' | 'mainnet' = 'local',
) => {
  const lines: string[] = []
  const line = (facts: object, message: string) => void lines.push(`${JSON.stringify(facts)} ${message}`)
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: line, error: line }
  const indexer = createEvmIndexer({
    chains: [{ store, chain: { ...CHAIN, network }, upstreams: nodes.map(({ url }) => ({ url })) }],
    pollMs: 20,
    longestPauseMs: 100,
    log,
    ...more,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  ends.push(async () => {
    stop.abort()
    await running
  })
  const height = () => indexer.status()[0]?.height
  return { indexer, height, lines, status: () => indexer.status()[0] }
}

/** Returns the chain with other members in the header at a height. */
const altered = (
  height: number,
  members: object,
  chain: readonly NodeBlock[] = blocks,
): readonly NodeBlock[] =>
  chain.map((one, i) => (i === height ? { ...one, block: { ...one.block, ...members } } : one))

const EARLY = altered(20, { timestamp: '0x1' })

/** Returns whether a store has the same contents as one that was filled from an honest node alone. */
const isHonest = async (store: EvmStore, chain: readonly NodeBlock[]): Promise<boolean> => {
  const [other, node] = [await storeOf(), await nodeOf(chain)]
  await indexOnce(other, [node.url])
  const digests = (one: EvmStore) =>
    database(one).selectFrom('block').select('chain_digest').orderBy('height').execute()
  expect(await storedContents(store)).toEqual(await storedContents(other))
  expect(await digests(store)).toEqual(await digests(other))
  return true
}

describe('block whose time is before its parent’s', () => {
  it('goes on by the honest node, and names the other one after three lies', async () => {
    const [store, liar, honest] = [await storeOf(), await nodeOf(EARLY), await nodeOf(blocks)]
    // Otherwise the honest node may give all blocks.
    honest.faults = { mode: 'badGateway' }
    const { height, status, lines } = following(store, [liar, honest])
    expect(await until(() => status()?.warnings.length === 1)).toBe(true)
    honest.faults = {}
    expect(await until(() => height() === 39n)).toBe(true)
    expect(await isHonest(store, blocks)).toBe(true)
    expect(lines.join('\n')).toMatch(
      /a node returned wrong or incomplete data: block 20 .* expected a timestamp of at least/,
    )
    expect(status()).toMatchObject({ problems: [], warnings: [expect.stringContaining('is used last')] })
  })

  it('waits without an honest node, says so, and continues by itself once the node is honest', async () => {
    const [store, node] = [await storeOf(), await nodeOf(EARLY)]
    const { height, status, indexer } = following(store, [node])
    expect(await until(() => status()?.warnings.length === 1)).toBe(true)
    expect(height()).toBe(19n)
    expect(status()?.phase).toBe('behind')
    expect(status()?.problems.join()).toMatch(/block 20 .* expected a timestamp of at least/)
    expect(status()?.warnings.join()).toMatch(
      /127\.0\.0\.1:\d+ has returned wrong or incomplete data and is used last/,
    )
    expect(await indexer.metrics.metrics()).toMatch(/firn_evm_upstream_distrusted\{[^}]+\} 1/)
    node.publish(blocks)
    expect(await until(() => status()?.phase === 'tip')).toBe(true)
    expect(status()?.problems).toEqual([])
    expect(await isHonest(store, blocks)).toBe(true)
  })

  it('does not affect another chain of the process', async () => {
    const [store, liar] = [await storeOf(), await nodeOf(EARLY)]
    const [other, honest] = [await openEvm({ chainId: 7n }), await createEvmNode({ chainId: 7n, blocks })]
    ends.push(
      () => other.close(),
      () => honest.close(),
    )
    const chains = [
      { store, chain: CHAIN, upstreams: [{ url: liar.url }] },
      { store: other, chain: CHAIN, upstreams: [{ url: honest.url }] },
    ]
    const { indexer } = following(store, [], { chains })
    expect(await until(() => indexer.status()[1]?.phase === 'tip')).toBe(true)
    expect(await until(() => (indexer.status()[0]?.problems.length ?? 0) > 0)).toBe(true)
    expect(indexer.status()[1]?.problems).toEqual([])
  })

  it('removes stored blocks whose own times were wrong', async () => {
    const late = altered(39, { timestamp: '0xfffffffff1' }, altered(38, { timestamp: '0xfffffffff0' }))
    const [store, node] = [await storeOf(), await nodeOf(late)]
    const { height, lines } = following(store, [node])
    expect(await until(() => height() === 39n)).toBe(true)
    const longer = extend(blocks, 3, { name: 'honest' })
    node.publish(longer)
    expect(await until(() => height() === 42n)).toBe(true)
    expect(lines.join('\n')).toContain('stored blocks had a wrong time')
    expect(await isHonest(store, longer)).toBe(true)
  })
})

it('keeps stored blocks while the only node reports an early time for all of them', async () => {
  const [store, node] = [await storeOf(), await nodeOf(blocks)]
  const { height, status, indexer } = following(store, [node])
  expect(await until(() => height() === 39n)).toBe(true)
  const longer = extend(blocks, 3, { name: 'honest' })
  node.publish(
    longer.map((one, i) => (i === 0 ? one : { ...one, block: { ...one.block, timestamp: '0x1' } })),
  )
  expect(await until(() => status()?.warnings.length === 1)).toBe(true)
  expect(height()).toBe(39n)
  expect(await indexer.metrics.metrics()).not.toMatch(/firn_evm_undone_blocks_total\{[^}]+\} [1-9]/)
})

it('rejects a block far ahead of the clock, except on local chains', async () => {
  const late = altered(39, { timestamp: '0xffffffffff' })
  const [store, node] = [await storeOf(), await nodeOf(late)]
  const { height, status } = following(store, [node], {}, 'mainnet')
  expect(await until(() => (status()?.problems.length ?? 0) > 0)).toBe(true)
  expect(height()).toBe(38n)
  expect(status()?.problems.join()).toMatch(/ahead of this machine's clock; check the clock/)
})

it('undoes what a lying node alone reported, when an honest node contradicts it', async () => {
  const forged = rewrite(blocks, 35, 4, { name: 'forged' })
  const [store, liar, honest] = [await storeOf(), await nodeOf(forged), await nodeOf(blocks)]
  honest.faults = { mode: 'badGateway' }
  const { height, status } = following(store, [liar, honest])
  expect(await until(() => height() === 39n)).toBe(true)
  // The forged branch never grows, and the nodes never agree on its blocks.
  honest.faults = {}
  const longer = extend(blocks, 5, { name: 'honest' })
  honest.publish(longer)
  expect(await until(() => height() === 44n)).toBe(true)
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  expect(await isHonest(store, longer)).toBe(true)
})

it('distrusts a node that reports a head far above the blocks that it has', async () => {
  const [store, liar, honest] = [await storeOf(), await nodeOf(blocks), await nodeOf(blocks)]
  liar.faults = { latest: { number: '0xfffffffffff' } }
  const { status } = following(store, [liar, honest])
  expect(await until(() => status()?.warnings.length === 1)).toBe(true)
  expect(status()?.warnings.join()).toMatch(
    /does not have block \d+, although it reports block 17592186044415/,
  )
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  expect(status()).toMatchObject({ height: 39n, head: 39n, problems: [] })
})

describe('error of the indexer or the database', () => {
  it('ends only the attempt of its chain, which is logged and tried again', async () => {
    const [store, node] = [await storeOf(), await nodeOf(blocks)]
    const commit = vi.spyOn(EvmWriter.prototype, 'commit')
    for (let i = 0; i < 3; i++)
      commit.mockRejectedValueOnce(new StoreError('STORE_BLOCK', `refused block ${i}`))
    const { height, status, lines } = following(store, [node])
    const phases = new Set<string>()
    const isDone = () => {
      phases.add(status()?.phase ?? '')
      return height() === 39n && status()?.phase === 'tip'
    }
    expect(await until(isDone)).toBe(true)
    expect([...phases]).toContain('failed')
    expect(status()?.problems).toEqual([])
    expect(lines.join('\n')).toMatch(
      /STORE_BLOCK.* indexing of chain 4242 failed, and is tried again: refused block 0/,
    )
  })

  it('is tried again after an error without a code', async () => {
    const [store, node] = [await storeOf(), await nodeOf(blocks)]
    vi.spyOn(store, 'migrate').mockRejectedValueOnce(new TypeError('a bug'))
    const { status, lines } = following(store, [node])
    expect(await until(() => status()?.phase === 'tip')).toBe(true)
    expect(lines.join('\n')).toContain('failed, and is tried again: a bug')
  })
})

it('says at the head that no node answers', async () => {
  const [store, node] = [await storeOf(), await nodeOf(blocks)]
  const { status } = following(store, [node])
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
  node.faults = { mode: 'badGateway' }
  expect(await until(() => /127\.0\.0\.1:\d+.*502/.test(status()?.problems.join() ?? ''))).toBe(true)
  node.faults = {}
  expect(await until(() => status()?.problems.length === 0)).toBe(true)
})

describe('chain that was reset to a lower head', () => {
  it.each([
    ['with other blocks', rewrite(blocks, 25, 4, { name: 'reset' }), 29n],
    ['with the same blocks', blocks.slice(0, 31), 39n],
  ])('is healthy at the head of its node, %s', async (_name, lower, stands) => {
    const [store, node] = [await storeOf(), await nodeOf(blocks)]
    const { status, height } = following(store, [node])
    expect(await until(() => status()?.phase === 'tip')).toBe(true)
    node.publish(lower)
    const head = BigInt(lower.length - 1)
    expect(await until(() => status()?.head === head && height() === stands)).toBe(true)
    expect(await until(() => status()?.phase === 'tip' && status()?.problems.length === 0)).toBe(true)
    // `/health` of the Data API reports these, too.
    expect(status()?.warnings).toEqual([])
  })
})

it.each([null, '', '0x', 'abc', -1, 1e30, {}])('tries a node with the chain id %o again', async (id) => {
  const [store, node] = [await storeOf(), await nodeOf(blocks)]
  node.faults = { chainIdText: JSON.stringify(id) }
  const { status } = following(store, [node])
  expect(await until(() => (status()?.problems.length ?? 0) > 0)).toBe(true)
  node.faults = {}
  expect(await until(() => status()?.phase === 'tip')).toBe(true)
})
