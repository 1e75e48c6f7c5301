import { Hex, Id } from '@firn/codec'
import { icmId, icmLogs, type TestMessage } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { evmBlock, evmHash, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import { systemClock } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmContext } from '../../evm/chain/EvmContext.ts'
import { all, client } from '../../testing/client.ts'
import { evmContextOf } from '../../testing/serveEvm.ts'
import { newKey, serveWebhooks, webhookContextOf } from '../../testing/serveWebhooks.ts'
import { createFilters } from '../common/Filters.ts'
import { startWebhooks } from '../WebhookRunner.ts'
import { undeliveredFeed } from './undeliveredFeed.ts'
import { ANY_SENDER, type UndeliveredFilter } from './undeliveredFilter.ts'

type HexText = `0x${string}`
const address = (byte: string): HexText => `0x${byte.repeat(20)}`
const blockchain = (byte: string): HexText => `0x${byte.repeat(32)}`
const [A, B, C] = [blockchain('a1'), blockchain('b2'), blockchain('c3')]
const [ALICE, BOB, RELAYER] = [address('1a'), address('1b'), address('41')]
const common = { messenger: address('25'), data: '0xc0ffee' as HexText, from: ALICE, to: BOB }
const toB = (nonce: bigint): TestMessage => ({ ...common, source: A, destination: B, nonce })
const toC = (nonce: bigint): TestMessage => ({ ...common, source: A, destination: C, nonce })

/** Time of the first block in Unix seconds. Blocks are a minute apart. */
const START = 1_700_000_000n

let a: EvmStore
let b: EvmStore
let evm: EvmContext
let grow: (store: EvmStore, logs: ReturnType<typeof icmLogs.sent>, minute?: bigint) => Promise<void>
const open: EvmStore[] = []

beforeEach(async () => {
  a = await openEvm({ chainId: 1_001n })
  b = await openEvm({ chainId: 1_002n })
  open.push(a, b)
  const writers = new Map<EvmStore, EvmWriter>()
  for (const store of [a, b])
    writers.set(store, await EvmWriter.open(store, { ...TEST_CHAIN, chainId: store.chainId }))
  const heights = new Map([a, b].map((store) => [store, 0n]))
  grow = async (store, logs, minute) => {
    const height = heights.get(store) ?? 0n
    heights.set(store, height + 1n)
    const transaction = evmTransaction({
      hash: evmHash(height, Number(store.chainId % 50n) + 100),
      logs: logs.map((log, index) => ({ ...log, index: BigInt(index) })),
    })
    const block = evmBlock(height, {
      hash: evmHash(height, 0),
      parentHash: evmHash(height - 1n, 0),
      timestamp: START + 60n * (minute ?? height),
      transactions: [transaction],
    })
    await writers.get(store)?.commit([{ block, contracts: [] }])
  }
  // The chains' own ids are known from the messages that they sent or received.
  await grow(a, [...icmLogs.sent(toB(1n)), ...icmLogs.sent(toB(2n)), ...icmLogs.sent(toC(3n))])
  await grow(b, icmLogs.received(toB(1n), RELAYER, RELAYER))
  evm = await evmContextOf([a, b])
})
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

/** Returns a function that looks for undelivered messages at a minute after the first block. */
function looking(
  filters: readonly Partial<UndeliveredFilter>[],
  progress = { sequence: 0n, settled: undefined },
) {
  const own = createFilters<UndeliveredFilter>()
  for (const [i, more] of filters.entries()) {
    const keys = [Hex.encodeBare(ANY_SENDER)]
    own.put({ id: `${i}`, fromSequence: 0n, keys, minutes: 5, destinations: new Set(), ...more })
  }
  let now = 0
  const [chain] = evm.chains
  if (chain === undefined) throw new Error('no chain')
  const feed = undeliveredFeed(chain, evm, own, () => now)
  return async (minute: number) => {
    now = (Number(START) + 60 * minute) * 1_000
    await feed.tip()
    const told: { readonly id: string; readonly webhooks: readonly string[]; readonly event: object }[] = []
    for (const change of await feed.changesAfter(progress)) {
      const step = await feed.compare(change, progress)
      progress.sequence = change.sequence
      if (step === undefined || !('events' in step)) continue
      for (const { body, webhooks } of step.events) {
        const event = JSON.parse(body)
        told.push({ id: event.message.messageId, webhooks, event })
      }
    }
    return told
  }
}

const digits = (message: TestMessage) => icmId(message).slice(2)

test('tells a message once when its time is over, and none that was delivered or whose destination is not followed', async () => {
  const look = looking([{}])
  expect(await look(4.5)).toEqual([])
  const told = await look(5)
  expect(told.map(({ id }) => id)).toEqual([digits(toB(2n))])
  expect(told[0]?.event).toMatchObject({
    eventType: 'undelivered',
    minutes: 5,
    message: { status: 'pending', destinationBlockchainId: Id.format(Hex.decode(B)) },
  })
  expect(await look(6)).toEqual([])
  expect(await look(60)).toEqual([])
})

test('tells nothing twice after the clock was set back', async () => {
  const look = looking([{}])
  expect(await look(30)).toHaveLength(1)
  expect(await look(3)).toEqual([])
  expect(await look(31)).toEqual([])
})

test('tells a message that is stored after its time is over', async () => {
  const look = looking([{}])
  expect(await look(30)).toHaveLength(1)
  await grow(a, icmLogs.sent(toB(4n)), 1n)
  expect((await look(31)).map(({ id }) => id)).toEqual([digits(toB(4n))])
  expect(await look(32)).toEqual([])
})

test('tells each webhook after its own time, of its own senders and destinations, and from its creation on', async () => {
  const minute = (minutes: bigint) => (START + 60n * minutes) * 1_000n
  const look = looking([
    { minutes: 2 },
    { keys: [ALICE.slice(2)] },
    { keys: [BOB.slice(2)] },
    { destinations: new Set([C.slice(2)]) },
    { fromSequence: minute(5n) },
    { fromSequence: minute(4n) },
  ])
  expect((await look(3)).map(({ webhooks }) => webhooks)).toEqual([['0']])
  expect((await look(9)).map(({ webhooks }) => webhooks)).toEqual([['1', '5']])
})

test('sends messages of webhooks that were created with the API, and lists them only when asked for', async () => {
  let now = (Number(START) + 60) * 1_000
  const clock = { ...systemClock, now: () => now }
  const context = await webhookContextOf(a, undefined, { evm, now: clock.now })
  const served = await serveWebhooks(context)
  const key = await newKey(a)
  const sdk = client(served.url, key)
  const headers = { 'x-data-api-key': key }
  const create = (metadata: object) =>
    fetch(`${served.url}/v1/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...{ url: 'https://example.com/', chainId: '1001', eventType: 'icm_undelivered', metadata },
      }),
    })
  const received: { eventType: string; event: { minutes: number; message: { messageId: string } } }[] = []
  const runner = startWebhooks({
    ...{ home: a, chains: evm.chains, evm, timeoutMs: 1_000, keepMs: 86_400_000, clock },
    send: async ({ body }) => {
      received.push(JSON.parse(new TextDecoder().decode(body)))
      return { status: 200, failure: undefined }
    },
  })
  try {
    const asked = { minutes: 5, senders: [EvmAddress.format(Hex.decode(ALICE))] }
    const created = (await (await create(asked)).json()) as { id: string; metadata: object }
    expect(created.metadata).toEqual(asked)
    const listed = (query: string) =>
      fetch(`${served.url}/v1/webhooks${query}`, { headers }).then((one) => one.json())
    expect(await listed('?eventType=icm_undelivered')).toMatchObject({ webhooks: [{ id: created.id }] })
    expect((await all(sdk.webhooks.list({}))).flatMap((page) => page.webhooks)).toEqual([])
    for (const [metadata, said] of [
      [{}, 'metadata.minutes'],
      [{ minutes: 0 }, 'metadata.minutes'],
      [{ minutes: 1.5 }, 'metadata.minutes'],
      [{ minutes: 20_000 }, 'metadata.minutes'],
      [{ minutes: 5, senders: ['0x12'] }, 'metadata.senders'],
      [{ minutes: 5, destinationBlockchainIds: ['2'] }, 'metadata.destinationBlockchainIds'],
    ] as const) {
      const response = await create(metadata)
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(said)])
    }
    runner.wake()
    now += 600_000
    await until(() => expect(received).toHaveLength(1))
    expect(received[0]).toMatchObject({
      eventType: 'icm_undelivered',
      event: { minutes: 5, message: { messageId: digits(toB(2n)) } },
    })
  } finally {
    await runner.close()
    await served.close()
  }
})
