import { Hex } from '@firn/codec'
import { EventAbi } from '@firn/evm'
import { recordedChain } from '@firn/evm/testing'
import { EvmDoctor, EvmLogs, type EvmStore } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { describe, expect, it } from 'vitest'
import { createEvmNode, type EvmNode } from '../testing/EvmNode.ts'
import type { NodeBlock } from '../testing/evmMethods.ts'
import { CHAIN, indexOnce } from '../testing/evmStores.ts'
import { until } from '../testing/reliability.ts'
import { extend } from '../testing/transferChain.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

const chainId = 4_243n
const [COIN, PAIR, MESSENGER] = [1, 2, 3].map((byte) => `0x${'2'.repeat(38)}0${byte}`) as [
  string,
  string,
  string,
]
const input = (type: string, name: string, indexed = false) => ({ type, name, indexed })
const event = (name: string, inputs: readonly object[]) => ({ type: 'event', name, inputs })
const ABIS = {
  Coin: [
    event('Transfer', [
      input('address', 'from', true),
      input('address', 'to', true),
      input('uint256', 'value'),
    ]),
  ],
  Pair: [
    event('Swap', [
      input('address', 'sender', true),
      input('uint256', 'amount0In'),
      input('uint256', 'amount1In'),
      input('uint256', 'amount0Out'),
      input('uint256', 'amount1Out'),
      input('address', 'to', true),
    ]),
  ],
  Warp: [
    event('SendWarpMessage', [
      input('address', 'sender', true),
      input('bytes32', 'messageID', true),
      input('bytes', 'message'),
    ]),
  ],
}
/** Only the coin's events are limited to one contract. */
const EVENTS = Object.entries(ABIS).flatMap(([abi, entries]) =>
  EventAbi.parse(entries).map((one) => ({
    abi,
    event: one,
    addresses: abi === 'Coin' ? [Hex.decode(COIN)] : [],
  })),
)
const TOPICS = EVENTS.map(({ event }) => Hex.encode(EventAbi.topic(event)))
const TABLES = ['event_coin_transfer', 'event_pair_swap', 'event_warp_send_warp_message']
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')

interface PlainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly logIndex: string
}

/** Turns the transfers of each block into one log of each event, and two logs that are not selected. */
function withEvents(blocks: readonly NodeBlock[]): NodeBlock[] {
  return blocks.map((one) => {
    const receipts = one.receipts as readonly { readonly logs: readonly PlainLog[] }[]
    const made = receipts.map((receipt, i) => {
      const logs = receipt.logs.map((log) => {
        const [, from = '', to = ''] = log.topics
        const value = word(Number(log.blockNumber) + i)
        if (i === 0 || i === 3)
          return { ...log, address: i === 0 ? COIN : PAIR, topics: [TOPICS[0], from, to] }
        if (i === 1)
          return { ...log, address: PAIR, topics: [TOPICS[1], from, to], data: `0x${value.repeat(4)}` }
        const data = `0x${word(32)}${word(3)}${'abcdef'.padEnd(64, '0')}`
        return { ...log, address: MESSENGER, topics: [i === 2 ? TOPICS[2] : from, from, to], data }
      })
      return { ...receipt, logs }
    })
    return { ...one, receipts: made }
  })
}

async function call(node: EvmNode, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(node.url, { method: 'POST', body })).json()) as { result: unknown }).result
}

/** Returns the events of the node's logs, by table, as text. */
async function expectedRows(node: EvmNode): Promise<readonly (readonly string[])[]> {
  const range = { fromBlock: '0x0', toBlock: '0xffff', topics: [TOPICS] }
  const { faults } = node
  node.faults = {}
  const logs = (await call(node, 'eth_getLogs', [range])) as readonly PlainLog[]
  node.faults = faults
  return TOPICS.map((topic, i) =>
    logs
      .filter(({ address, topics }) => topics[0] === topic && (i !== 0 || address === COIN))
      .map(({ blockNumber, logIndex, address, topics, data }) => {
        const words = [...data.slice(2).matchAll(/.{64}/g)].map(([text]) => String(BigInt(`0x${text}`)))
        const [one, other] = topics.slice(1).map((value) => `0x${value.slice(26)}`)
        const own =
          i === 0
            ? [one, other, words[0]]
            : i === 1
              ? [one, ...words, other]
              : [one, topics[2], `0x${data.slice(130, 136)}`]
        return [Number(blockNumber), Number(logIndex), address, ...own].join(' ')
      }),
  )
}

async function storedRows(store: EvmStore): Promise<readonly (readonly string[])[]> {
  const rows = TABLES.map(async (table) => {
    const found = await store.driver.transaction((session) =>
      session.query(`select * from ${table} order by height, log_index`),
    )
    return found.map(({ transaction_index: _, ...row }) =>
      Object.values(row)
        .map((value) => (value instanceof Uint8Array ? Hex.encode(value) : String(value)))
        .join(' '),
    )
  })
  return Promise.all(rows)
}

async function isDecoded(store: EvmStore, head: number): Promise<boolean> {
  const rows = await database(store).selectFrom('event_table').select('next_height').execute()
  return rows.length === TABLES.length && rows.every(({ next_height }) => next_height === BigInt(head + 1))
}

describe.each([
  ['headers and logs', true],
  ['whole blocks', false],
] as const)('events of known ABIs from %s', (_name, isEventsOnly) => {
  it('equal the logs of the node after backfill, reorgs and a restart', async () => {
    let plain = extend([], 90, { name: 'main', transactions: 5 })
    const node = await createEvmNode({ chainId, blocks: withEvents(plain) })
    node.faults = { maxLogRange: 10 }
    const store = await openEvm({ chainId })
    const publish = (blocks: NodeBlock[]) => {
      plain = blocks
      node.publish(withEvents(plain))
    }
    const run = async (work: () => Promise<void>) => {
      const indexer = createEvmIndexer({
        chains: [
          {
            store,
            chain: CHAIN,
            upstreams: [{ url: node.wsUrl }],
            events: EVENTS,
            isEventsOnly,
            checksBalances: false,
          },
        ],
        pollMs: 20,
      })
      const stop = new AbortController()
      const running = indexer.run(stop.signal)
      try {
        await work()
      } finally {
        stop.abort()
        await running
      }
    }
    const expectSame = async () => {
      const hash = String(plain.at(-1)?.block['hash'])
      const isThere = async () => {
        const tip = await store.snapshot().catch(() => undefined)
        return (
          tip !== undefined && Hex.encode(tip.hash) === hash && (await isDecoded(store, plain.length - 1))
        )
      }
      expect(await until(isThere)).toBe(true)
      const expected = await expectedRows(node)
      expect(expected.map((rows) => rows.length)).toEqual(TABLES.map(() => plain.length - 1))
      expect(await storedRows(store)).toEqual(expected)
    }
    await run(async () => {
      await expectSame()
      for (const depth of [1, 20]) {
        publish(extend(plain.slice(0, -depth), depth + 2, { name: `reorg ${depth}`, transactions: 5 }))
        await expectSame()
      }
    })
    publish(extend(plain.slice(0, -3), 9, { name: 'later', transactions: 5 }))
    await run(expectSame)
    expect((await EvmDoctor.check(store)).faults).toEqual([])
    expect((await store.chain())?.isEventsOnly ?? false).toBe(isEventsOnly)
    if (isEventsOnly) {
      // No block was requested with its transactions.
      expect(node.asked.lowest).toBe(Number.POSITIVE_INFINITY)
      const swaps = EVENTS[1] as (typeof EVENTS)[number]
      const topic = [EventAbi.topic(swaps.event)]
      const complete = (addresses: readonly string[], ...topics: (readonly Uint8Array[])[]) =>
        EvmLogs.matchesCompleteFrom(store, { addresses: addresses.map((one) => Hex.decode(one)), topics })
      expect(await complete([], topic)).toBe(0n)
      expect(await complete([PAIR], topic)).toBe(0n)
      expect(await complete([COIN], [Hex.decode(TOPICS[0] as string)])).toBe(0n)
      expect(await complete([PAIR], [Hex.decode(TOPICS[0] as string)])).toBeUndefined()
      expect(await complete([], [Hex.decode(TOPICS[0] as string)])).toBeUndefined()
      expect(await complete([PAIR])).toBeUndefined()
      const filter = { addresses: [], topics: [] }
      const query = { order: 'desc', after: undefined, limit: 3 } as const
      const { logs } = await EvmLogs.page(store, await store.snapshot(), filter, query)
      const transactions = plain.at(-1)?.block['transactions'] as readonly { readonly hash: string }[]
      expect(logs.map(({ transactionHash }) => Hex.encode(transactionHash))).toEqual(
        [2, 1, 0].map((i) => transactions[i]?.hash),
      )
    }
    await Promise.all([node.close(), store.close()])
  })
})

it('reads logs of blocks that have the bloom of other blocks', async () => {
  const blocks = recordedChain('helicon') as readonly NodeBlock[]
  const node = await createEvmNode({ chainId, blocks })
  const store = await openEvm({ chainId })
  const logs = blocks.flatMap(({ receipts }) =>
    (receipts as readonly { readonly logs: readonly PlainLog[] }[]).flatMap((receipt) => receipt.logs),
  )
  const expected = logs.filter(({ topics }) => topics[0] === TOPICS[0] && topics.length === 3)
  expect(expected.length).toBeGreaterThan(5)
  const events = EVENTS.slice(0, 1).map((one) => ({ ...one, addresses: [] }))
  await indexOnce(store, [node.url], { isEventsOnly: true, events })
  const stored = await database(store)
    .selectFrom('event_coin_transfer' as never)
    .selectAll()
    .execute()
  expect(stored.length).toBe(expected.length)
  await Promise.all([node.close(), store.close()])
})
