import { recordedChain } from '@firn/evm/testing'
import type { EvmStore } from '@firn/evm-store'
import { recordedEvmStore } from '@firn/evm-store/testing'
import type { UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { database } from '@firn/sql/testing'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayOptions } from '../Gateway.ts'
import { type Behaviour, fakeNode } from '../testing/fakeNode.ts'
import { call, openGateway, type TestGateway } from '../testing/gateways.ts'

/** A log as the recorded node wrote it. */
interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly blockNumber: string
  readonly blockHash: string
  readonly blockTimestamp?: string
}

interface Filter {
  readonly address?: string | readonly string[] | null
  readonly topics?: readonly (string | null | readonly string[])[] | null
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
}

const CHAIN = recordedChain('c')
const HEAD = CHAIN.length - 1
const LOGS = CHAIN.flatMap(({ receipts }) => (receipts as { logs: Log[] }[]).flatMap(({ logs }) => logs))
const hex = (height: number) => `0x${height.toString(16)}`

/** Returns the logs that match a filter, as a node does. */
function matching(
  { address, topics, blockHash, fromBlock = 'latest', toBlock = 'latest' }: Filter,
  logs = LOGS,
) {
  const heightOf = (text: string) => (text === 'latest' ? HEAD : text === 'earliest' ? 0 : Number(text))
  const isIn = (given: string | null | undefined | readonly string[], value: string | undefined) =>
    given === null ||
    given === undefined ||
    given.length === 0 ||
    (value !== undefined && [given].flat().includes(value))
  return logs.filter(
    (log) =>
      (blockHash === undefined
        ? Number(log.blockNumber) >= heightOf(fromBlock) && Number(log.blockNumber) <= heightOf(toBlock)
        : log.blockHash === blockHash) &&
      isIn(address, log.address) &&
      (topics ?? []).every((given, i) => log.topics[i] !== undefined && isIn(given, log.topics[i])),
  )
}

/** Answers as the node of the recorded chain. */
const node =
  (logs = LOGS): Behaviour =>
  (body, response) => {
    const resultOf = ({ method, params }: { method: string; params: Filter[] }) =>
      method === 'eth_blockNumber' ? hex(HEAD) : matching(params[0] as Filter, logs)
    const answerOf = (one: { id: unknown; method: string; params: Filter[] }) =>
      JSON.stringify({ jsonrpc: '2.0', id: one.id, result: resultOf(one) })
    const request = JSON.parse(body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Array.isArray(request) ? `[${request.map(answerOf)}]\n` : `${answerOf(request)}\n`)
  }

const FILTERS = fc
  .record({
    log: fc.constantFrom(...LOGS),
    other: fc.constantFrom(...LOGS),
    addresses: fc.constantFrom('none', 'null', 'one', 'two'),
    topics: fc.array(fc.constantFrom('any', 'one', 'two'), { maxLength: 3 }),
    blocks: fc.constantFrom('hash', 'all', 'tags', 'some'),
  })
  .map(({ log, other, addresses, topics, blocks }): Filter => {
    const given = topics.map((kind, i) => {
      const both = [log.topics[i], other.topics[i]].filter((topic) => topic !== undefined)
      return kind === 'any' || both.length === 0 ? null : kind === 'one' ? (both[0] as string) : both
    })
    const [low, high] = [log, other].map(({ blockNumber }) => Number(blockNumber)).toSorted((a, b) => a - b)
    return {
      ...(addresses === 'none' ? {} : addresses === 'null' ? { address: null } : {}),
      ...(addresses === 'one' ? { address: log.address } : {}),
      ...(addresses === 'two' ? { address: [log.address, other.address] } : {}),
      ...(given.length === 0
        ? {}
        : { topics: given.slice(0, given.findLastIndex((one) => one !== null) + 1) }),
      ...(blocks === 'hash' ? { blockHash: log.blockHash } : {}),
      ...(blocks === 'all' ? { fromBlock: '0x0', toBlock: hex(HEAD) } : {}),
      ...(blocks === 'tags' ? { fromBlock: 'earliest', toBlock: 'latest' } : {}),
      ...(blocks === 'some' ? { fromBlock: hex(low as number), toBlock: hex(high as number) } : {}),
    }
  })

let usage: UsageStore
let store: EvmStore
let open: TestGateway[] = []
beforeAll(async () => {
  usage = await openUsage()
  store = await recordedEvmStore('c', undefined, {})
})
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open = []
  await database(store).updateTable('chain').set({ logs_from: 0n }).execute()
  await database(store).deleteFrom('pruned').execute()
})
afterAll(() => usage.close())

/** Starts a gateway with the stored chain, in front of a node. */
async function start(behaviour = node()) {
  const fake = await fakeNode(behaviour)
  const chains: GatewayOptions['chains'] = [{ names: ['43114'], urls: [fake.url], store }]
  const gateway = await openGateway([fake], usage, { chains })
  open.push(gateway)
  const askNode = async (body: string) => (await fetch(fake.url, { method: 'POST', body })).text()
  const forwarded = () => fake.bodies.filter((body) => body.includes('"id":77'))
  return { ...gateway, fake, askNode, forwarded }
}

const getLogs = (...params: unknown[]) => call('eth_getLogs', 77, params)

describe('eth_getLogs of a stored chain', () => {
  test("returns the node's answers byte for byte without forwarding the calls", async () => {
    const { post, askNode, fake, forwarded, counted } = await start()
    const timed = await start(node(LOGS.map(withTimestamp)))
    let logs = 0
    let runs = 0
    await fc.assert(
      fc.asyncProperty(FILTERS, async (filter) => {
        runs++
        for (const one of [{ post, askNode }, timed]) {
          const { status, text, headers } = await one.post(getLogs(filter))
          expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
          expect([filter, text]).toEqual([filter, await one.askNode(getLogs(filter))])
          logs += JSON.parse(text).result.length
        }
      }),
    )
    expect(logs).toBeGreaterThan(50)
    // The test itself asked the node once for each filter.
    expect([forwarded().length, timed.forwarded().length]).toEqual([runs, runs])
    expect(fake.bodies.filter((body) => body.includes('eth_getLogs'))).toHaveLength(runs + 1)
    await timed.flush()
    expect(await counted()).toMatchObject({ 'eth_getLogs 200': 2 * runs })
  })

  test('answers batches of such calls, and forwards other batches', async () => {
    const { post, askNode, forwarded } = await start()
    const filter = { fromBlock: '0x0', toBlock: hex(HEAD) }
    const batch = `[${getLogs(filter)},${call('eth_getLogs', '"x"', [{ ...filter, address: LOGS[0]?.address }])}]`
    const { text } = await post(batch)
    expect(forwarded()).toEqual([])
    expect(text).toBe(await askNode(batch))
    const mixed = `[${getLogs(filter)},${call('eth_blockNumber', 2)}]`
    expect((await post(mixed)).text).toBe(await askNode(mixed))
    expect(forwarded().filter((body) => body === mixed)).toHaveLength(2)
  })

  test.each<[name: string, ...params: unknown[]]>([
    ['no parameter'],
    ['two parameters', {}, {}],
    ['an unknown member', { fromBlock: '0x0', toBlock: '0x5', from: '0x0' }],
    ['a block hash and a height', { blockHash: LOGS[0]?.blockHash, fromBlock: '0x0' }],
    ['an unknown block hash', { blockHash: `0x${'12'.repeat(32)}` }],
    ['a range that ends before it starts', { fromBlock: '0x9', toBlock: '0x8' }],
    ['a height with a leading zero', { fromBlock: '0x00', toBlock: '0x8' }],
    ['a height as a number', { fromBlock: 0, toBlock: '0x8' }],
    ['a block that is not stored yet', { fromBlock: '0x0', toBlock: hex(HEAD + 1) }],
    ['the newest block only', {}],
    ['pending blocks', { fromBlock: '0x0', toBlock: 'pending' }],
    ['a short address', { fromBlock: '0x0', toBlock: '0x8', address: '0x12' }],
    ['a short topic', { fromBlock: '0x0', toBlock: '0x8', topics: ['0x12'] }],
    ['five topics', { fromBlock: '0x0', toBlock: '0x8', topics: Array(5).fill(`0x${'12'.repeat(32)}`) }],
    ['a list that ends with any topic', { fromBlock: '0x0', toBlock: '0x8', topics: [null] }],
  ])('forwards a call with %s', async (_name, ...params) => {
    const answer = '{"jsonrpc":"2.0","id":77,"error":{"code":-32602,"message":"as the node says"}}'
    const { post, forwarded } = await start((body, response, request) =>
      body.includes('"id":77') ? void response.end(answer) : node()(body, response, request),
    )
    expect((await post(getLogs(...params))).text).toBe(answer)
    expect(forwarded()).toEqual([getLogs(...params)])
  })

  test('forwards calls for blocks whose logs are not stored', async () => {
    const { post, forwarded } = await start()
    const early = { fromBlock: '0x9', toBlock: hex(HEAD) }
    const late = { fromBlock: '0xa', toBlock: hex(HEAD) }
    await database(store).updateTable('chain').set({ logs_from: 10n }).execute()
    await post(getLogs(early))
    await post(getLogs(late))
    expect(forwarded()).toEqual([getLogs(early)])
    await database(store).updateTable('chain').set({ logs_from: null }).execute()
    await post(getLogs(late))
    expect(forwarded()).toEqual([getLogs(early), getLogs(late)])
  })

  test('forwards calls for blocks whose logs were pruned', async () => {
    const { post, forwarded } = await start()
    const early = { fromBlock: '0x9', toBlock: hex(HEAD) }
    const late = { fromBlock: '0xa', toBlock: hex(HEAD) }
    await database(store).insertInto('pruned').values({ kind: 'logs', below: 10n }).execute()
    await post(getLogs(early))
    await post(getLogs(late))
    expect(forwarded()).toEqual([getLogs(early)])
  })

  test('forwards all calls to a node with other logs, and logs a warning', async () => {
    const { post, warnings, forwarded } = await start(node(LOGS.map((log) => ({ ...log, data: '0x' }))))
    await post(getLogs({ fromBlock: '0x0', toBlock: '0x20' }))
    expect(forwarded()).toHaveLength(1)
    expect(warnings).toEqual(["stored logs differ from a node's logs; eth_getLogs is forwarded"])
  })

  test('answers while no node responds', async () => {
    const { post, askNode, fake } = await start()
    const body = getLogs({ fromBlock: '0x0', toBlock: '0x20' })
    const expected = await askNode(body)
    await post(body)
    await fake.close()
    expect(await post(body)).toMatchObject({ status: 200, text: expected })
  })
})

/** Returns a log as newer nodes write it. */
function withTimestamp({ blockHash, ...log }: Log): Log {
  const { logIndex, removed, ...rest } = log as Log & { logIndex: string; removed: boolean }
  const block = CHAIN[Number(log.blockNumber)]?.block
  return { ...rest, blockHash, blockTimestamp: block?.['timestamp'] as string, logIndex, removed } as Log
}
