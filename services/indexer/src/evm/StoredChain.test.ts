import { Hex } from '@firn/codec'
import { type EvmStore, resetEvmChain } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import type { Logger } from '@firn/runtime'
import { database } from '@firn/sql/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createEvmNode, type EvmNode } from '../testing/EvmNode.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { extend, rewrite } from '../testing/transferChain.ts'
import { createEvmIndexer } from './EvmIndexer.ts'
import type { EvmIndexerOptions } from './EvmIndexerOptions.ts'

const chainId = 4_242n
const blocks = extend([], 100, { name: 'first' })
const anew = extend([], 10, { name: 'second' })

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const nodeOf = async (chain: readonly NodeBlock[], head?: number): Promise<EvmNode> => {
  const node = await createEvmNode({ chainId, blocks: chain, ...(head === undefined ? {} : { head }) })
  ends.push(() => node.close())
  return node
}

const opened = async (): Promise<EvmStore> => {
  const store = await openEvm({ chainId: chainId })
  ends.push(() => store.close())
  return store
}

/** Starts to index a chain. Returns functions that read its status and metrics, and the lines of its log. */
const following = (store: EvmStore, nodes: readonly EvmNode[], more: Partial<EvmIndexerOptions> = {}) => {
  const lines: string[] = []
  const line = (_facts: object, message: string) => void lines.push(message)
  const log: Logger = { debug: () => undefined, info: line, warn: line, error: line }
  const indexer = createEvmIndexer({
    chains: [{ store, chain: CHAIN, upstreams: nodes.map(({ url }) => ({ url })) }],
    pollMs: 20,
    longestPauseMs: 200,
    log,
    ...more,
  })
  const stop = new AbortController()
  const running = indexer.run(stop.signal)
  running.catch(() => undefined)
  ends.push(async () => {
    stop.abort()
    await running
  })
  return { status: () => indexer.status()[0], metrics: () => indexer.metrics.metrics(), lines }
}

const heightOf = async (store: EvmStore) => (await store.snapshot()).height
const codeOf = (store: EvmStore) =>
  store.snapshot().then(
    () => 'served',
    (error: { code: string }) => error.code,
  )

describe('chain that was reset', () => {
  it('stops serving a chain that was reset, until the nodes have the stored chain again', async () => {
    const [node, store] = [await nodeOf(blocks), await opened()]
    const { status, metrics, lines } = following(store, [node])
    await expect.poll(() => status()?.height).toBe(99n)
    node.publish(anew)
    await expect.poll(() => codeOf(store)).toBe('STORE_HALTED')
    await expect.poll(() => status()?.problems.join()).toMatch(/the chain was reset.*firn evm --reset 4242/)
    expect(status()?.phase).toBe('halted')
    expect(await metrics()).toMatch(/firn_evm_healthy\{chain="4242"\} 0/)
    expect(lines.join('\n')).toMatch(/stopped serving chain 4242: .*was reset/)
    // The new chain is now longer than the stored one, but it is still a different chain.
    node.publish(extend([], 120, { name: 'second' }))
    await expect.poll(() => codeOf(store)).toBe('STORE_HALTED')
    node.publish(extend(blocks, 3, { name: 'first' }))
    await expect.poll(() => heightOf(store).catch(String)).toBe(102n)
    await expect.poll(() => [status()?.problems, status()?.phase]).toEqual([[], 'tip'])
  })

  it.each([
    ['below the stored height', anew],
    ['above the stored height', extend([], 150, { name: 'second' })],
  ])(
    'detects at startup that the chain was reset (%s), and indexes the new chain after a reset of the database',
    async (_name, chain) => {
      const [node, store] = [await nodeOf(blocks), await opened()]
      await indexOnce(store, [node.url])
      expect(Hex.encode((await store.chain())?.genesisHash ?? new Uint8Array())).toBe(
        blocks[0]?.block['hash'],
      )
      node.publish(chain)
      await expect(indexOnce(store, [node.url])).rejects.toMatchObject({ code: 'INDEXER_RESET' })
      expect(await codeOf(store)).toBe('STORE_HALTED')
      expect((await resetEvmChain(store)).blocks).toEqual({ first: 0n, last: 99n })
      await indexOnce(store, [node.url])
      expect(await heightOf(store)).toBe(BigInt(chain.length - 1))
    },
  )

  it('detects a reset by block 0 alone if the first blocks are not stored', async () => {
    const [node, store] = [await nodeOf(blocks), await opened()]
    await indexOnce(store, [node.url], { firstHeight: 60n })
    expect(Hex.encode((await store.chain())?.genesisHash ?? new Uint8Array())).toBe(blocks[0]?.block['hash'])
    node.publish(anew)
    await expect(indexOnce(store, [node.url])).rejects.toMatchObject({ code: 'INDEXER_RESET' })
  })

  it('detects a reset by the first stored block if the database does not know block 0', async () => {
    const [node, store] = [await nodeOf(blocks), await opened()]
    await indexOnce(store, [node.url])
    await database(store).updateTable('chain').set({ genesis_hash: null }).execute()
    node.publish(anew)
    await expect(indexOnce(store, [node.url])).rejects.toMatchObject({ code: 'INDEXER_RESET' })
    node.publish(blocks)
    await indexOnce(store, [node.url])
    expect((await store.chain())?.genesisHash).toBeDefined()
  })
})

it('accepts a lagging node that has the stored chain', async () => {
  const [node, store] = [await nodeOf(blocks), await opened()]
  await indexOnce(store, [node.url])
  const late = await nodeOf(blocks, 5)
  const { status } = following(store, [late])
  await expect.poll(() => status()?.phase).toBe('tip')
  expect(await heightOf(store)).toBe(99n)
  late.publish(blocks, 60)
  late.publish(extend(blocks, 5, { name: 'first' }))
  await expect.poll(() => heightOf(store)).toBe(104n)
  expect(status()?.problems).toEqual([])
})

it('excludes only the node whose chain was reset', async () => {
  const [one, other, store] = [await nodeOf(blocks), await nodeOf(blocks), await opened()]
  const { status, lines } = following(store, [one, other])
  await expect.poll(() => status()?.height).toBe(99n)
  one.publish(anew)
  await expect.poll(() => lines.join('\n')).toContain(`127.0.0.1:${one.port} has block 0`)
  other.publish(extend(blocks, 4, { name: 'first' }))
  await expect.poll(() => heightOf(store)).toBe(103n)
  expect(status()?.problems).toEqual([])
})

it.each([
  ['lower than the stored chain', 40],
  ['as high as the stored chain', 100],
  ['higher than the stored chain', 130],
])(
  'stops serving the chain after a reorg deeper than the limit, if the new chain is %s',
  async (_name, count) => {
    const [node, store] = [await nodeOf(blocks), await opened()]
    const { status, lines } = following(store, [node], { maxReorgDepth: 20 })
    await expect.poll(() => status()?.height).toBe(99n)
    node.publish(rewrite(blocks, 30, count - 31, { name: 'other' }))
    await expect.poll(() => codeOf(store)).toBe('STORE_HALTED')
    expect(lines.join('\n')).toMatch(/reorg is deeper than.*firn evm --reset 4242/)
    node.publish(blocks)
    await expect.poll(() => heightOf(store).catch(String)).toBe(99n)
  },
)
