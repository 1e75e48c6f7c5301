import { BlockReader } from '@firn/evm'
import { type InventedChain, inventedChain, inventedFacts } from '@firn/evm/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as Problems from '../common/Problems.ts'
import { createEvmNode } from '../testing/EvmNode.ts'
import { createFakeContracts } from '../testing/evmContracts.ts'
import type { EvmFaults } from '../testing/evmFaults.ts'
import { createMemorySink } from '../testing/memorySink.ts'
import { until } from '../testing/reliability.ts'
import { createContractReader } from './contracts/ContractReader.ts'
import { follow } from './EvmFollower.ts'
import { createEvmHead } from './EvmHead.ts'
import * as EvmMetrics from './upstream/EvmMetrics.ts'
import { createEvmUpstream } from './upstream/EvmUpstream.ts'
import { createEvmUpstreams } from './upstream/EvmUpstreams.ts'
import { createJsonRpc } from './upstream/JsonRpc.ts'

const RUNS = Number(process.env['FIRN_EVM_FOLLOWER_RUNS'] ?? 12)
const chainId = 5n

/** An event while a chain is being indexed. */
type Event =
  | { readonly kind: 'grow'; readonly count: number }
  | { readonly kind: 'fork'; readonly depth: number; readonly count: number }
  | { readonly kind: 'fault'; readonly node: 0 | 1; readonly faults: EvmFaults }
  | { readonly kind: 'cut' }
  | { readonly kind: 'wait'; readonly ms: number }

const faults = fc.constantFrom<EvmFaults>(
  {},
  { lag: 3 },
  { flip: 4 },
  { emptyReceipts: true },
  { duplicated: true },
  { maxBatch: 3 },
  { maxBytes: 6_000 },
  { mode: 'errors', rate: 0.5 },
  { mode: 'badGateway', rate: 0.5 },
  { mode: 'limited', rate: 0.3 },
  { mode: 'cut', rate: 0.5 },
  { mode: 'garbage', rate: 0.5 },
  { mode: 'refuseAll', rate: 0.5 },
  { mode: 'hang', rate: 0.2 },
  { without: ['eth_getBlockReceipts'] },
  { slowMs: 20 },
)
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('grow' as const), count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({
      kind: fc.constant('fork' as const),
      depth: fc.integer({ min: 1, max: 15 }),
      count: fc.integer({ min: -3, max: 6 }),
    }),
    fc.record({ kind: fc.constant('fault' as const), node: fc.constantFrom(0 as const, 1 as const), faults }),
    fc.record({ kind: fc.constant('cut' as const) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(60) }),
  ),
  { minLength: 3, maxLength: 14 },
)

const run = async (seed: number, all: readonly Event[]) => {
  let chain: InventedChain = inventedChain({ seed })
  chain.grow(25)
  const call = createFakeContracts(inventedFacts)
  const nodes = await Promise.all(
    [0, 1].map(() => createEvmNode({ chainId, blocks: chain.blocks.slice(), call })),
  )
  const timing = { clock: systemClock, random: Math.random, log: silentLogger }
  const members = nodes.map(({ url, wsUrl }, i) =>
    createEvmUpstream({
      rpc: createJsonRpc({ url: i === 0 ? wsUrl : url, timeoutMs: 200 }),
      ...{ timeoutMs: 200, traceTimeoutMs: 800 },
      chainId,
      firstHeight: 0n,
      concurrency: 4,
      maxBatch: 16,
      longestPauseMs: 50,
      metrics: EvmMetrics.create(),
      ...timing,
    }),
  )
  const upstreams = createEvmUpstreams({ members, cooldownMs: 50, ...timing })
  upstreams.setTraces(true)
  const head = createEvmHead({ upstreams: members, pollMs: 10, patienceMs: 300, ...timing })
  const sink = createMemorySink()
  const stop = new AbortController()
  const watching = head.watch(stop.signal)
  const contracts = createContractReader({ upstreams, longestPauseMs: 20, ...timing })
  const following = follow(
    {
      upstreams,
      head,
      contracts,
      sink,
      firstHeight: 0n,
      maxReorgDepth: 64,
      once: false,
      batchBlocks: 20,
      windowBytes: 8 << 20,
      groups: 4,
      allowsFuture: true,
      problems: Problems.create(),
      onCommit: () => undefined,
      onUndo: () => undefined,
      ...timing,
    },
    stop.signal,
  )
  const publish = () => {
    for (const node of nodes) node.publish(chain.blocks.slice())
  }
  for (const [i, event] of all.entries()) {
    if (event.kind === 'grow') chain.grow(event.count)
    if (event.kind === 'fork') {
      chain = chain.branch(BigInt(chain.blocks.length - 1 - event.depth), `fork ${i}`)
      chain.grow(Math.max(event.depth + event.count, 1))
    }
    if (event.kind === 'fault') Object.assign(nodes[event.node] ?? {}, { faults: event.faults })
    if (event.kind === 'cut') nodes[0]?.cut()
    if (event.kind === 'wait') await new Promise((settle) => setTimeout(settle, event.ms))
    else publish()
  }
  for (const node of nodes) node.faults = {}
  publish()
  const last = chain.blocks.at(-1)?.block.hash ?? ''
  const isAt = () => Buffer.from(sink.cursor?.hash ?? []).toString('hex') === last.slice(2)
  const isDone = await until(isAt, 15_000)
  stop.abort()
  await following
  await watching
  upstreams.close()
  await Promise.all(nodes.map((node) => node.close()))
  expect(isDone).toBe(true)
  expect(sink.blocks.map(({ block }) => block)).toEqual(
    chain.blocks.map(({ block, receipts, traces }) => BlockReader.read({ block, receipts, traces })),
  )
  for (const { contracts: facts } of sink.blocks)
    for (const one of facts) expect(one).toEqual(inventedFacts(one.address))
}

it('stores the final branch despite faults of both nodes and any sequence of reorgs', async () => {
  await fc.assert(fc.asyncProperty(fc.nat(1_000), events, run), { numRuns: RUNS, endOnFailure: true })
})
