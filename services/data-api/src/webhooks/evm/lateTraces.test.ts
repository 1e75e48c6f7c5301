import type { Block, CallFrame } from '@firn/evm'
import { type EvmStore, EvmWriter, type IndexedBlock } from '@firn/evm-store'
import { evmAddress, evmBlock, evmHash, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { WebhookDeliveries, Webhooks } from '@firn/service-store'
import { afterEach, expect, test } from 'vitest'
import * as Source from '../common/Source.ts'
import { createEvaluator } from '../Evaluator.ts'
import { createRegistry } from '../Registry.ts'
import { evmFeed } from './evmFeed.ts'

const SOURCE = Source.ofEvm(TEST_CHAIN.chainId)
const [SENDER, CONTRACT, CALLED, WATCHMAN] = [11, 12, 13, 14].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Returns a block in which a contract, called by a transaction, calls another address. */
function blockAt(height: bigint, given: Partial<Block> = {}): IndexedBlock {
  const transaction = evmTransaction({ hash: evmHash(height, 9), from: SENDER, to: CONTRACT })
  const frame: CallFrame = {
    ...{ type: 'CALL', from: SENDER, to: CONTRACT, value: 0n, gas: 21_000n, gasUsed: 21_000n },
    ...{ succeeded: true, calls: [] },
  }
  const inner = { ...frame, from: CONTRACT, to: CALLED, value: 5n, gas: 100n, gasUsed: 50n }
  const block = evmBlock(height, {
    transactions: [transaction],
    traces: [{ ...frame, calls: [inner] }],
    ...given,
  })
  return { block, contracts: [] }
}

const untraced = ({ block, contracts }: IndexedBlock): IndexedBlock => ({
  block: { ...block, traces: undefined },
  contracts,
  tracesDue: 0n,
})

/** Creates a webhook that observes addresses, after the newest change. */
async function create(store: EvmStore, id: string, addresses: readonly Uint8Array[], finality = 'executed') {
  await Webhooks.create(store, {
    ...{ id, owner: new Uint8Array(32), source: SOURCE, event_type: 'address_activity', chain: '1337' },
    ...{ url: 'https://example.com/', host: 'example.com', name: '', description: '', created_at: 0n },
    secret_encoding: 'text',
    settings: { eventSignatures: [], includeInternalTxs: true, includeLogs: false, finality },
    from_sequence: (await store.snapshot()).sequence,
    keys: [...addresses],
  })
}

async function setUp() {
  const store = await openEvm()
  ends.push(() => store.close())
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit([{ block: evmBlock(0n), contracts: [] }])
  const start = () => {
    const registry = createRegistry(store)
    const evaluator = createEvaluator(
      {
        ...{ home: store, registry, holder: 'one', clock: systemClock, random: Math.random },
        ...{ logger: silentLogger, onQueued() {} },
      },
      evmFeed({ chain: TEST_CHAIN, store }, registry.of('address_activity', SOURCE), silentLogger),
    )
    const stop = new AbortController()
    const running = evaluator.run(stop.signal)
    ends.push(async () => {
      stop.abort()
      await running
    })
  }
  /** Returns the deliveries of a webhook: the number of the block, with `-` for a removal. */
  const sent = async (id: string) => {
    const query = { states: ['queued'], order: 'asc', after: undefined, limit: 100 } as const
    const all = await WebhookDeliveries.page(store, id, query)
    return all.map(({ height, is_removal }) => `${is_removal ? '-' : ''}${height}`)
  }
  let watched = 0
  await create(store, 'watch', [WATCHMAN])
  /** Stores a block with a new transaction, and waits until all changes up to it are compared. */
  const settle = async (given: Partial<Block> = {}) => {
    const { height: last = 0n, hash: parentHash = evmHash(0n) } = writer.cursor ?? {}
    const height = last + 1n
    const transactions = [evmTransaction({ from: WATCHMAN, to: WATCHMAN })]
    const own = { hash: evmHash(height, 5), parentHash, transactions }
    await writer.commit([{ block: evmBlock(height, { ...given, ...own }), contracts: [] }])
    watched += 1
    await until(async () => expect(await sent('watch')).toHaveLength(watched))
  }
  return { store, writer, start, sent, settle }
}

test('sends what only internal calls match after they are added, and nothing twice', async () => {
  const { store, writer, start, sent, settle } = await setUp()
  await create(store, 'called', [CALLED])
  await create(store, 'sender', [SENDER])
  await create(store, 'both', [SENDER, CALLED])
  start()
  await writer.commit([untraced(blockAt(1n))])
  await settle()
  await create(store, 'new', [CALLED])
  expect(await Promise.all(['called', 'sender', 'both'].map(sent))).toEqual([[], ['1'], ['1']])
  await writer.fillTraces(blockAt(1n))
  await settle()
  expect(await Promise.all(['called', 'sender', 'both', 'new'].map(sent))).toEqual([['1'], ['1'], ['1'], []])
  const bodies = await store.driver.control(
    'select body from webhook_event where height = 1 order by sequence',
    [],
  )
  const calls = bodies.map(({ body }) => JSON.parse(String(body)).internalTransactions?.length)
  expect(calls).toEqual([undefined, 1])
})

test('sends nothing twice after the kept messages were removed', async () => {
  const { store, writer, start, sent, settle } = await setUp()
  await create(store, 'sender', [SENDER])
  start()
  await writer.commit([untraced(blockAt(1n))])
  await settle()
  expect(await sent('sender')).toEqual(['1'])
  await store.driver.control(`delete from webhook_delivery where webhook_id = 'sender'`, [])
  await writer.fillTraces(blockAt(1n))
  await settle()
  expect(await sent('sender')).toEqual([])
})

test('sends nothing twice if the internal calls are added before the block is compared', async () => {
  const { store, writer, start, sent, settle } = await setUp()
  await create(store, 'called', [CALLED])
  await create(store, 'both', [SENDER, CALLED])
  await writer.commit([untraced(blockAt(1n)), blockAt(2n)])
  await writer.fillTraces(blockAt(1n))
  start()
  await settle()
  expect(await Promise.all(['called', 'both'].map(sent))).toEqual([
    ['1', '2'],
    ['1', '2'],
  ])
})

test('sends nothing for internal calls of a block that a reorg has removed, and removes what it has sent', async () => {
  const { store, writer, start, sent, settle } = await setUp()
  await create(store, 'called', [CALLED])
  await writer.commit([untraced(blockAt(1n)), untraced(blockAt(2n))])
  await writer.fillTraces(blockAt(2n))
  await writer.fillTraces(blockAt(1n))
  await writer.undo(1n)
  start()
  await settle()
  expect(await sent('called')).toEqual(['1'])
  await writer.undo(0n)
  // The same block returns, again without its traces at first.
  await writer.commit([untraced(blockAt(1n))])
  await writer.fillTraces(blockAt(1n))
  await until(async () => expect(await sent('called')).toEqual(['1', '-1', '1']))
})

test('sends what internal calls match to webhooks that wait for settled results, after both', async () => {
  const { store, writer, start, sent, settle } = await setUp()
  await create(store, 'called', [CALLED], 'settled')
  await create(store, 'both', [SENDER, CALLED], 'settled')
  start()
  await settle({ settledHeight: 0n })
  await writer.commit([
    untraced(blockAt(2n, { settledHeight: 0n, parentHash: evmHash(1n, 5) })),
    untraced(blockAt(3n, { settledHeight: 1n })),
  ])
  await settle({ settledHeight: 2n })
  expect(await Promise.all(['called', 'both'].map(sent))).toEqual([[], ['2']])
  await writer.fillTraces(blockAt(2n, { settledHeight: 0n, parentHash: evmHash(1n, 5) }))
  await writer.fillTraces(blockAt(3n, { settledHeight: 1n }))
  await settle({ settledHeight: 2n })
  expect(await Promise.all(['called', 'both'].map(sent))).toEqual([['2'], ['2']])
  await settle({ settledHeight: 3n })
  expect(await Promise.all(['called', 'both'].map(sent))).toEqual([
    ['2', '3'],
    ['2', '3'],
  ])
})
