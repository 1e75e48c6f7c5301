import { Hex } from '@firn/codec'
import { recordedChain } from '@firn/evm/testing'
import type { EvmStore } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEvmNode, type EvmNode } from '../testing/EvmNode.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

/** First block of the recorded C-chain with asynchronous execution. */
const FIRST = 79
const chain = recordedChain('helicon') as readonly NodeBlock[]
const chainId = 43_112n
const of = (height: number) => chain[height] as NodeBlock
type Receipts = readonly Readonly<Record<string, string>>[]
const receiptsOf = (height: number) => of(height).receipts as Receipts
const later = chain.map((_one, height) => height).slice(FIRST)

describe('C-chain before and after asynchronous execution', () => {
  let store: EvmStore
  let node: EvmNode
  beforeAll(async () => {
    store = await openEvm({ chainId: chainId })
    node = await createEvmNode({ chainId, blocks: chain })
    // Some of the blocks were recorded without traces.
    await indexOnce(store, [node.url], { withTraces: false })
  })
  afterAll(async () => {
    await node.close()
    await store.close()
  })
  const blocks = () => database(store).selectFrom('block').selectAll().orderBy('height').execute()
  const transactions = () =>
    database(store)
      .selectFrom('transaction')
      .selectAll()
      .orderBy('height')
      .orderBy('transaction_index')
      .execute()

  it('accepts newer header fields, whether present or null', async () => {
    expect(of(FIRST).block['settledHeight']).toBeDefined()
    expect((await blocks()).length).toBe(chain.length)
  })

  it('reads blocks completely even if the header’s bloom filter does not cover their logs', async () => {
    const rows = await transactions()
    expect(rows.length).toBe(chain.reduce((sum, { receipts }) => sum + (receipts as Receipts).length, 0))
    expect(node.calls.has('eth_getLogs')).toBe(false)
  })

  it('sums the executed gas over the receipts, because the header contains the reserved gas', async () => {
    const rows = await blocks()
    const differing = later.filter((height) => {
      const sum = receiptsOf(height).reduce((all, { gasUsed }) => all + BigInt(gasUsed as string), 0n)
      expect(rows[height]?.gas_executed).toBe(sum)
      expect(rows[height]?.gas_used).toBe(BigInt(of(height).block['gasUsed'] as string))
      return sum !== rows[height]?.gas_used
    })
    expect(differing.length).toBeGreaterThan(0)
  })

  it('reads fees from the receipts', async () => {
    const rows = await transactions()
    const paid = chain.flatMap(({ receipts }) =>
      (receipts as Receipts).map(({ effectiveGasPrice }) => BigInt(effectiveGasPrice as string)),
    )
    expect(rows.map(({ gas_price }) => gas_price)).toEqual(paid)
  })

  it('uses the block hashes that the node reports, for headers of both the old and the new form', async () => {
    const rows = await blocks()
    expect(rows.map(({ hash }) => Hex.encode(hash))).toEqual(chain.map(({ block }) => block['hash']))
  })

  it('requests the newest block only by the tag "latest"', () => {
    expect([...node.tags]).toEqual(['latest'])
  })

  it('stores failed transactions with the gas that was charged', async () => {
    const rows = (await transactions()).filter(({ height }) => height >= BigInt(FIRST))
    const receipts = later.flatMap(receiptsOf)
    expect(rows.map(({ gas_used }) => gas_used)).toEqual(
      receipts.map((one) => BigInt(one['gasUsed'] as string)),
    )
    const failed = receipts.filter(({ status }) => status === '0x0').length
    expect(rows.filter(({ succeeded }) => !succeeded).length).toBe(failed)
    expect(failed).toBeGreaterThan(0)
  })

  it('sends no requests that the node no longer supports', () => {
    const gone = /^(debug_getRaw|debug_printBlock|eth_accounts|eth_coinbase|warp_)/
    expect([...node.calls.keys()].filter((method) => gone.test(method))).toEqual([])
  })
})

describe('node that produces blocks', () => {
  const run = async (
    body: (node: EvmNode, store: EvmStore, height: () => bigint | undefined) => Promise<void>,
    over: 'http' | 'ws' = 'http',
    head = 100,
  ) => {
    const store = await openEvm({ chainId: chainId })
    const node = await createEvmNode({ chainId, blocks: chain, head })
    const upstreams = [{ url: over === 'ws' ? node.wsUrl : node.url, timeoutMs: 3_000 }]
    const indexer = createEvmIndexer({
      chains: [{ store, chain: CHAIN, upstreams, withTraces: false, firstHeight: 90n }],
      pollMs: 20,
    })
    const stop = new AbortController()
    const running = indexer.run(stop.signal)
    const height = () => indexer.status()[0]?.height
    await until(() => height() === BigInt(head))
    await body(node, store, height)
    stop.abort()
    await running
    await node.close()
    await store.close()
  }

  it('does not store a block before it is executed', () =>
    run(async (node, _store, height) => {
      node.publish(chain, 100, 103)
      const before = node.requests()
      await until(() => node.requests() > before + 5)
      expect(height()).toBe(100n)
      node.publish(chain, 103)
      expect(await until(() => height() === 103n)).toBe(true)
    }))

  it('waits for results that depend on execution', () =>
    run(async (node, _store, height) => {
      node.faults = { slowMs: 1_200 }
      node.publish(chain, 102)
      expect(await until(() => height() === 102n)).toBe(true)
    }))

  it('reads the results of a new head with a single request for its block', () =>
    run(async (node, _store, height) => {
      const before = node.calls.get('eth_getBlockByHash') ?? 0
      node.publish(chain, 101)
      expect(await until(() => height() === 101n)).toBe(true)
      expect((node.calls.get('eth_getBlockByHash') ?? 0) - before).toBe(1)
    }, 'ws'))

  it('waits at a height that does not exist yet, without stopping the indexer or removing blocks', () =>
    run(async (node, store, height) => {
      node.faults = { lag: 5 }
      node.publish(chain, 104)
      const before = node.requests()
      await until(() => node.requests() > before + 5)
      expect(height()).toBe(100n)
      node.faults = {}
      expect(await until(() => height() === 104n)).toBe(true)
      expect(
        await database(store).selectFrom('change').selectAll().where('kind', '=', 'undone').execute(),
      ).toEqual([])
    }))

  it('reconnects and resubscribes after a lost connection, and reads the missed blocks', () =>
    run(async (node, _store, height) => {
      await until(() => node.subscriptions() === 1)
      node.faults = { mode: 'hang' }
      node.cut()
      node.publish(chain, 105)
      node.faults = {}
      expect(await until(() => height() === 105n)).toBe(true)
      expect(await until(() => node.subscriptions() === 1)).toBe(true)
      node.publish(chain, 106)
      expect(await until(() => height() === 106n)).toBe(true)
    }, 'ws'))
})

describe('node without historical states', () => {
  const blocks = recordedChain('c') as readonly NodeBlock[]

  it("stores a chain without traces if no node can trace the chain's first blocks", async () => {
    const store = await openEvm({ chainId: chainId })
    const node = await createEvmNode({ chainId, blocks })
    node.faults = { prunedBelow: 60 }
    await indexOnce(store, [node.url])
    expect((await store.chain())?.hasTraces).toBe(false)
    expect((await database(store).selectFrom('cursor').selectAll().execute())[0]?.height).toBe(
      BigInt(blocks.length - 1),
    )
    await node.close()
    await store.close()
  })

  it('fetches traces from another node if the first node has pruned them', async () => {
    const store = await openEvm({ chainId: chainId })
    const [pruned, whole] = await Promise.all([
      createEvmNode({ chainId, blocks }),
      createEvmNode({ chainId, blocks }),
    ])
    pruned.faults = { prunedBelow: 60 }
    await indexOnce(store, [pruned.url, whole.url])
    expect((await store.chain())?.hasTraces).toBe(true)
    expect((await database(store).selectFrom('cursor').selectAll().execute())[0]?.height).toBe(
      BigInt(blocks.length - 1),
    )
    await Promise.all([pruned.close(), whole.close()])
    await store.close()
  })

  it('sets a gas limit on calls', async () => {
    const store = await openEvm({ chainId: chainId })
    const node = await createEvmNode({
      chainId,
      blocks,
      call: (_to, _data, _height, gas) => {
        expect(Number(gas)).toBeGreaterThan(0)
        return { error: 'execution reverted', code: 3 }
      },
    })
    await indexOnce(store, [node.url])
    expect(node.calls.get('eth_call')).toBeGreaterThan(0)
    await node.close()
    await store.close()
  })
})
