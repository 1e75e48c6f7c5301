import { BlockReader } from '@firn/evm'
import { silentLogger, systemClock } from '@firn/runtime'
import { createTimerClock } from '@firn/runtime/testing'
import { afterEach, expect, it } from 'vitest'
import { IndexerError, type IndexerErrorCode } from '../../common/IndexerError.ts'
import { createEvmNode, type EvmNode } from '../../testing/EvmNode.ts'
import type { EvmFaults } from '../../testing/evmFaults.ts'
import { extend, rewrite } from '../../testing/transferChain.ts'
import * as EvmMetrics from './EvmMetrics.ts'
import { createEvmUpstream, type EvmUpstream } from './EvmUpstream.ts'
import { createEvmUpstreams, type EvmUpstreams } from './EvmUpstreams.ts'
import { createJsonRpc } from './JsonRpc.ts'

const chainId = 77n
const blocks = extend([], 30, { name: 'main' })
const other = rewrite(blocks, 9, 20, { name: 'other' })
const nodes: EvmNode[] = []
const opened: EvmUpstreams[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) one.close()
  for (const node of nodes.splice(0)) await node.close()
})

const open = async (...faults: readonly EvmFaults[]) => {
  const clock = createTimerClock()
  const metrics = EvmMetrics.create()
  const started = await Promise.all(
    faults.map(async (fault) => {
      const node = await createEvmNode({ chainId, blocks })
      node.faults = fault
      return node
    }),
  )
  nodes.push(...started)
  const members = started.map(({ url, faults: { mode } }) =>
    createEvmUpstream({
      rpc: createJsonRpc({ url, timeoutMs: mode === 'hang' ? 500 : 600_000 }),
      chainId,
      firstHeight: 0n,
      concurrency: 4,
      maxBatch: 64,
      longestPauseMs: 50,
      clock,
      random: () => 0,
      log: silentLogger,
      metrics,
    }),
  )
  const upstreams = createEvmUpstreams({ members, clock, random: () => 0, cooldownMs: 100 })
  opened.push(upstreams)
  upstreams.setTraces(true)
  return { upstreams, started, metrics, clock, signal: new AbortController().signal }
}
const expected = blocks
  .slice(1)
  .map(({ block, receipts, traces }) => BlockReader.read({ block, receipts, traces }))
const heights = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ height: BigInt(from + i) }))

it('returns complete blocks by height and by hash', async () => {
  const { upstreams, signal } = await open({})
  expect(await upstreams.blocks(heights(1, 29), signal)).toEqual(expected)
  const hash = String(blocks[7]?.block['hash'])
  expect(await upstreams.blocks([{ height: 7n, hash }], signal)).toEqual([expected[6]])
})

it.each<[string, EvmFaults]>([
  ['receipts by block', { without: ['eth_getBlockReceipts'] }],
  ['traces by hash', { without: ['debug_traceBlockByHash'] }],
  ['traces by hash, refused with an HTTP status', { forbidden: ['debug_traceBlockByHash'] }],
  ['batches', { maxBatch: 1 }],
  ['large batches', { maxBatch: 3 }],
  ['large answers', { maxBytes: 8_000 }],
  ['batches without duplicate answers', { duplicated: true }],
])('returns complete blocks from a node that does not support %s', async (_name, fault) => {
  const { upstreams, signal } = await open(fault)
  let found = await upstreams.blocks(heights(1, 29), signal)
  // A refused request may need more than one attempt.
  for (let i = 0; i < 8 && found.length < 29; i++) found = await upstreams.blocks(heights(1, 29), signal)
  expect(found).toEqual(expected)
})

it.each<[string, EvmFaults]>([
  ['has no receipts for its blocks', { emptyReceipts: true }],
  ['has receipts of another branch', { receiptsOf: other }],
  ['lags', { lag: 20 }],
  ['has no traces', { without: ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'trace_block'] }],
  ['has pruned old states', { prunedBelow: 25 }],
  ['serves another chain', { chainId: 78n }],
  ['answers with errors', { mode: 'errors' }],
  ['is behind a broken gateway', { mode: 'badGateway' }],
  ['sends invalid answers', { mode: 'garbage' }],
  ['drops connections', { mode: 'cut' }],
  ['never answers', { mode: 'hang' }],
  ['limits the request rate', { mode: 'limited', retryAfterSeconds: 5 }],
])('returns blocks from the second node while the first node %s', async (_name, fault) => {
  const { upstreams, signal } = await open(fault, {})
  expect(await upstreams.blocks(heights(1, 29), signal)).toEqual(expected)
})

it('returns only the blocks below the first height that no node has', async () => {
  const { upstreams, signal } = await open({ lag: 20 }, { lag: 10 })
  expect(await upstreams.blocks(heights(1, 29), signal)).toEqual(expected.slice(0, 19))
})

it('queries all nodes for a hash that no longer exists, and returns no block', async () => {
  const hash = String(blocks[7]?.block['hash'])
  const vanished = new Set([hash])
  const { upstreams, signal, started } = await open({ vanished }, { vanished })
  expect(await upstreams.blocks([{ height: 7n, hash }], signal)).toEqual([])
  expect(started.map(({ calls }) => calls.get('eth_getBlockByHash'))).toEqual([1, 1])
})

it('rejects a block that has the requested hash but another height', async () => {
  const { upstreams, signal } = await open({})
  expect(await upstreams.blocks([{ height: 8n, hash: String(blocks[7]?.block['hash']) }], signal)).toEqual([])
})

it('requires two nodes to agree on the block at a height', async () => {
  const { upstreams, signal, started } = await open({}, {})
  const at = [20n, 9n, 5n]
  const agreed = await upstreams.canonical(at, signal)
  expect(agreed.every((hash) => hash !== undefined)).toBe(true)
  started[1]?.publish(other)
  const [high, ...low] = await upstreams.canonical(at, signal)
  expect(high).toBeUndefined()
  expect(low.every((hash) => hash !== undefined)).toBe(true)
})

it('requires two equal answers from the same node if there is only one', async () => {
  const { upstreams, signal } = await open({ otherBranch: other })
  const [high, low] = await upstreams.canonical([20n, 5n], signal)
  expect(high).toBeUndefined()
  expect(low).toBeDefined()
})

it('rejects traces that were requested by height and belong to another branch with the same transactions', async () => {
  // The other branch has the same transactions, but their effects differ.
  const elsewhere = blocks.map(({ block, receipts, traces }) => ({
    block: { ...block, hash: String(block['hash']).replace(/..$/, 'ee') },
    receipts,
    traces: JSON.parse(JSON.stringify(traces).replaceAll('0xc350', '0xc351')) as unknown,
  }))
  const { upstreams, signal } = await open({
    without: ['debug_traceBlockByHash'],
    otherBranch: elsewhere,
  })
  let taken = 0
  for (let i = 0; i < 12; i++) {
    for (const block of await upstreams.blocks(
      [{ height: 12n, hash: String(blocks[12]?.block['hash']) }],
      signal,
    )) {
      taken += 1
      expect(block).toEqual(expected[11])
    }
  }
  expect(taken).toBeLessThan(12)
})

it('throws if all nodes serve a different chain', async () => {
  const { upstreams, signal } = await open({ chainId: 1n }, { chainId: 2n })
  await expect(upstreams.open(signal)).rejects.toMatchObject({ code: 'INDEXER_CHAIN' })
})

it('waits for nodes that are not reachable yet', async () => {
  const { upstreams, signal, started } = await open({ mode: 'badGateway' })
  const opening = upstreams.open(signal)
  setTimeout(() => {
    if (started[0] !== undefined) started[0].faults = {}
  }, 50)
  expect(await opening).toEqual({ hasTraces: true, isKnown: true })
})

it("respects a node's rate limit", async () => {
  const { upstreams, signal, started, clock } = await open({})
  const node = started[0] as EvmNode
  await upstreams.open(signal)
  node.faults = { mode: 'limited', retryAfterSeconds: 0.5 }
  expect(await upstreams.blocks(heights(1, 3), signal)).toEqual([])
  const before = node.requests()
  const since = clock.now()
  node.faults = {}
  const asked = await upstreams.blocks(heights(1, 3), signal)
  expect(asked.length).toBe(3)
  expect(clock.now() - since).toBeGreaterThan(350)
  expect(node.requests() - before).toBeLessThanOrEqual(5)
})

it('distrusts a node that reports a slightly higher head than it has, but only after a while', async () => {
  const opened = await open({}, {})
  const [liar, honest] = opened.upstreams.members
  liar?.report(33n)
  honest?.report(29n)
  let now = 0
  const clock = { ...systemClock, now: () => now }
  const upstreams = createEvmUpstreams({ members: opened.upstreams.members, clock, random: () => 0 })
  const ask = (height: number) => upstreams.blocks(heights(height, 1), opened.signal)
  for (; now < 59_000; now += 10_000) expect(await ask(31)).toEqual([])
  // A block that arrives late is no wrong answer, and neither is a missing one that is requested by its hash.
  await ask(29)
  for (let i = 0; i < 4; i += 1, now += 61_000)
    await upstreams.blocks([{ height: 32n, hash: `0x${'1'.repeat(64)}` }], opened.signal)
  expect(upstreams.warnings()).toEqual([])
  for (let i = 0; i < 5; i += 1, now += 61_000) await ask(31)
  expect(upstreams.warnings()).toEqual([
    expect.stringMatching(/does not have block 31, although it reports block 33/),
  ])
  expect(honest?.isTrusted()).toBe(true)
})

/** Opens nodes that answer requests for blocks with traces, answer them with an error, or do not trace. */
const openUntraced = (...codes: readonly (IndexerErrorCode | 'traces' | undefined)[]) => {
  const asked: string[] = []
  const members = codes.map((code, i) => ({
    name: `node ${i}`,
    abilities: async () => ({ tracesBy: code === undefined ? undefined : 'hash' }),
    blocks: async (
      requests: readonly { readonly height: bigint }[],
      { withTraces, wait }: { readonly withTraces: boolean; readonly wait?: string },
    ) => {
      asked.push(`${i} ${withTraces ? wait : 'without'}`)
      return requests.map(({ height }) =>
        withTraces && code !== undefined && code !== 'traces'
          ? { error: new IndexerError(code, code) }
          : { block: { ...expected[Number(height) - 1], traces: undefined } },
      )
    },
    ...{ failures: () => 0, waitMs: () => 0, isTrusted: () => true, reported: () => undefined },
    ...{ refuse: () => undefined, close: () => undefined },
  })) as unknown as readonly EvmUpstream[]
  const upstreams = createEvmUpstreams({ members, clock: systemClock, random: () => 0 })
  upstreams.setTraces(true)
  const signal = new AbortController().signal
  return { asked, upstreams, blocks: () => upstreams.blocks(heights(4, 2), signal) }
}

it('returns a block without its traces once each node has given them up, and waits less for the next ones', async () => {
  const { asked, upstreams, blocks: fetch } = openUntraced('INDEXER_UNTRACED', 'INDEXER_UNTRACED', undefined)
  const [block, ...others] = await fetch()
  expect([block?.height, others]).toEqual([4n, []])
  expect(block !== undefined && upstreams.isUntraced(block)).toBe(true)
  expect(asked.slice(0, 2)).toEqual(['0 growing', '1 growing'])
  expect(asked.slice(2)).toEqual([expect.stringMatching(/^\d without$/)])
  asked.length = 0
  await fetch()
  expect(asked.slice(0, 2).toSorted()).toEqual(['0 first', '1 first'])
  upstreams.setGaps(false)
  asked.length = 0
  await fetch()
  expect(asked.slice(0, 2).toSorted()).toEqual(['0 growing', '1 growing'])
})

it('asks the node first that last returned missing traces, until its block is rejected', async () => {
  const { asked, upstreams } = openUntraced('INDEXER_RPC_TIMEOUT', 'traces', 'traces')
  const ask = () => upstreams.tracedBlock({ height: 4n }, new AbortController().signal)
  const block = await ask()
  expect(asked).toEqual(['0 longest', '1 longest'])
  asked.length = 0
  await ask()
  expect(asked).toEqual(['1 longest'])
  upstreams.blame(block, new IndexerError('INDEXER_BLOCK', 'other receipts'))
  asked.length = 0
  await ask()
  expect(asked).toEqual(['0 longest', '2 longest'])
})

it.each([
  ['another node gets more time for its traces', ['INDEXER_UNTRACED', 'INDEXER_RPC_TIMEOUT']],
  ['no node has given them up', ['INDEXER_RPC_REFUSED', 'INDEXER_RPC_UNAVAILABLE']],
] as const)('does not return a block without its traces while %s', async (_reason, codes) => {
  const { asked, blocks: fetch } = openUntraced(...codes)
  expect(await fetch()).toEqual([])
  expect(asked).toEqual(['0 growing', '1 growing'])
})
