import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain } from '@firn/evm/testing'
import { EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import type { Snapshot, Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { evmSnapshots } from './evm/chain/evmSnapshots.ts'
import { primarySnapshots } from './primary/network/PrimarySnapshots.ts'
import { contractsOf } from './testing/plainHolders.ts'
import { serve } from './testing/serve.ts'
import { serveEvm } from './testing/serveEvm.ts'
import { serveMetrics } from './testing/serveMetrics.ts'

const HEIGHT = 60
const LAG = 20
const chain = inventedChain({ seed: 11, transactions: [2, 6], accounts: 12 })
chain.grow(HEIGHT)
const [contract = ''] = contractsOf(chain.blocks, 20)
const indexed = (parts: readonly InventedParts[]) =>
  parts.map((one) => ({ block: BlockReader.read(one), contracts: [] }))

/**
 * Creates a replica that has indexed the given blocks. Returns its store, its writer, and a function that
 * sends requests to the replica.
 */
async function replica(blocks: readonly InventedParts[]) {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(indexed(blocks))
  const [lists, metrics] = [await serveEvm([store]), await serveMetrics([store])]
  const ask = (url: string) => (url.startsWith('/v2') ? metrics(url) : lists(url))
  return { store, writer, ask }
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

test.each([
  ['/v1/chains/1337/blocks', 'block 59', 'block 39'],
  ['/v1/chains/1337/transactions', 'block 59', 'block 39'],
  ['/v1/blocks', 'block 59', 'block 39'],
  [`/v2/chains/1337/contracts/${contract}/balances?threshold=0`, 'block 59', 'block 39'],
  ['/v2/chains/1337/metrics/txCount?timeInterval=hour', 'points before', 'time'],
])(
  'accepts a newer replica’s page token for %s as soon as the older replica has caught up',
  async (path, needed, reached) => {
    const ahead = await replica(chain.blocks)
    const behind = await replica(chain.blocks.slice(0, HEIGHT - LAG))
    try {
      const { json: first } = await ahead.ask(withQuery(path, 'pageSize=1'))
      const next = withQuery(path, `pageSize=1&pageToken=${first.nextPageToken}`)
      const early = await behind.ask(next)
      expect([early.status, early.headers['retry-after']]).toEqual([503, '1'])
      expect(early.json.message).toContain(`needs ${needed}`)
      expect(early.json.message).toContain(`this replica has only reached ${reached}`)
      await behind.writer.commit(indexed(chain.blocks.slice(HEIGHT - LAG)))
      const expected = await ahead.ask(next)
      const later = await behind.ask(next)
      expect([later.status, later.json]).toEqual([200, expected.json])
    } finally {
      await Promise.all([ahead.store.close(), behind.store.close()])
    }
  },
)

test('returns 503 for a page token of a replaced block while the new branch is shorter, and 400 afterwards', async () => {
  const { store, writer, ask } = await replica(chain.blocks)
  try {
    const path = '/v1/chains/1337/blocks?pageSize=1'
    const { json: first } = await ask(path)
    const next = `${path}&pageToken=${first.nextPageToken}`
    await writer.undo(50n)
    // While the stored chain is shorter than the token's height, the block may still be indexed later.
    expect((await ask(next)).status).toBe(503)
    const branch = chain.branch(50n, 'other')
    await writer.commit(indexed(branch.grow(12)))
    const refused = await ask(next)
    expect([refused.status, refused.json.message]).toEqual([
      400,
      'pageToken: block 59 was replaced in a reorg; start again without a token',
    ])
  } finally {
    await store.close()
  }
})

test('returns 503 for a page token while the replica has not seen the reorg of its block', async () => {
  const [ahead, behind] = [await replica(chain.blocks), await replica(chain.blocks)]
  try {
    const blocks = indexed(chain.branch(50n, 'reorg').grow(9))
    const reorganize = async (writer: EvmWriter) => {
      await writer.undo(50n)
      await writer.commit(blocks)
    }
    await reorganize(ahead.writer)
    const holders = `/v2/chains/1337/contracts/${contract}/balances?threshold=0`
    const nextOf = async (path: string) => {
      const { json: first } = await ahead.ask(withQuery(path, 'pageSize=1'))
      return withQuery(path, `pageSize=1&pageToken=${first.nextPageToken}`)
    }
    const next = await Promise.all(['/v1/chains/1337/blocks', '/v1/blocks'].map(nextOf))
    // A UUID has no room for the number of changes, so such a list starts again.
    const nextHolders = await nextOf(holders)
    const started = await behind.ask(withQuery(holders, 'pageSize=1'))
    expect((await behind.ask(nextHolders)).json).toEqual(started.json)
    for (const path of next) {
      const early = await behind.ask(path)
      expect([early.status, early.headers['retry-after'], early.json.message]).toEqual([
        503,
        '1',
        'pageToken: needs change 78, but this replica has only reached change 60; try again in a moment',
      ])
    }
    await reorganize(behind.writer)
    for (const path of [...next, nextHolders]) {
      const [later, expected] = [await behind.ask(path), await ahead.ask(path)]
      expect([later.status, later.json]).toEqual([200, expected.json])
    }
  } finally {
    await Promise.all([ahead.store.close(), behind.store.close()])
  }
})

test('accepts page tokens of earlier versions, which contain no number of changes', async () => {
  const { store } = await replica(chain.blocks.slice(0, 10))
  try {
    const { at, heights, latest } = evmSnapshots(store)
    const [height = 0n, place = 0n] = heights(await latest())
    expect(await at([height, BigInt.asUintN(64, place)])).toEqual(await latest())
    await expect(at([height, BigInt.asUintN(64, place + 1n)])).rejects.toThrow('was replaced in a reorg')
  } finally {
    await store.close()
  }
})

/** Returns the store with the given `snapshot` function, to simulate a replica that lags behind. */
function lagging(store: Store, snapshot: () => Promise<Snapshot>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'snapshot') return snapshot
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('accepts a newer replica’s Primary Network page token as soon as the older replica has caught up', async () => {
  const store = await recordedStore('local')
  const { P, X, C } = await store.snapshot()
  const earlier = await primarySnapshots(store).at([P.height - 5n, X.height, C.height])
  let isBehind = true
  const ask = await serve(lagging(store, async () => (isBehind ? earlier : store.snapshot())))
  const all = await serve(store)
  for (const path of [
    '/v1/networks/fuji/blockchains/p-chain/transactions',
    '/v1/networks/fuji/rewards?addresses=local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0',
  ]) {
    isBehind = true
    const { json: first } = await all(withQuery(path, 'pageSize=1'))
    const next = withQuery(path, `pageSize=1&pageToken=${first.nextPageToken}`)
    const early = await ask(next)
    expect([path, early.status, early.headers['retry-after']]).toEqual([path, 503, '1'])
    expect(early.json.message).toContain(`needs heights P ${P.height}, X ${X.height}, C ${C.height},`)
    expect(early.json.message).toContain(`this replica has only reached heights P ${P.height - 5n},`)
    isBehind = false
    const [later, expected] = [await ask(next), await all(next)]
    expect([later.status, later.json]).toEqual([200, expected.json])
  }
})
