import { Bytes, Hex } from '@firn/codec'
import { type Block, EventAbi } from '@firn/evm'
import { EventTables, type EvmStore, EvmWriter } from '@firn/evm-store'
import { evmAddress, evmBlock, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { TestPostgres } from '@firn/sql/testing'
import fc from 'fast-check'
import { type Abi, decodeEventLog, encodeAbiParameters, encodeEventTopics, getAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveEvm } from '../testing/serveEvm.ts'

const PAIR = parseAbi([
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
])
const MESSENGER = parseAbi([
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct Message { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
  'struct Fee { address feeTokenAddress; uint256 amount; }',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, Message message, Fee feeInfo)',
  'event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)',
])
const COIN = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
])
const ABIS: Readonly<Record<string, Abi>> = { Coin: COIN, Pair: PAIR, Messenger: MESSENGER }
const EVENTS = Object.entries(ABIS).flatMap(([abi, entries]) =>
  EventAbi.parse(entries).map((event) => ({ abi, event, addresses: [] })),
)

/** Returns a generator of values as viem expects them. */
function anyValue({ type, components = [], ...rest }: EventAbi.Parameter): fc.Arbitrary<unknown> {
  const array = EventAbi.arrayOf(type)
  if (array !== undefined)
    return fc.array(anyValue({ ...rest, components, type: array.type }), { maxLength: 3 })
  if (type === 'tuple')
    return fc.record(Object.fromEntries(components.map((one) => [one.name, anyValue(one)])))
  const hex = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((one) => Hex.encode(one))
  if (type === 'address') return hex(20)
  if (type === 'bytes32') return hex(32)
  if (type === 'bytes') return fc.uint8Array({ maxLength: 80 }).map((one) => Hex.encode(one))
  return fc.bigInt(0n, 2n ** BigInt(type.slice(4)) - 1n)
}

interface PlainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const LOGS: fc.Arbitrary<PlainLog> = fc.constantFrom(...EVENTS).chain(({ abi, event }) =>
  fc
    .tuple(
      fc.record(Object.fromEntries(event.inputs.map((input) => [input.name, anyValue(input)]))),
      fc.constantFrom(3, 4),
    )
    .map(([args, contract]) => ({
      address: Hex.encode(evmAddress(contract)),
      topics: encodeEventTopics({ abi: ABIS[abi], eventName: event.name, args } as never) as string[],
      data: encodeAbiParameters(
        event.inputs.filter(({ indexed }) => !indexed) as never,
        event.inputs.filter(({ indexed }) => !indexed).map(({ name }) => args[name]) as never,
      ),
    })),
)

/** Returns the block at a height of a branch, with random logs. */
function blockAt(height: number, branch: string, parent: Block | undefined): Block {
  const seed = height + branch.length * 1_000
  const logs = fc.sample(LOGS, { seed, numRuns: 6 }).map(({ address, topics, data }, index) => ({
    index: BigInt(index),
    address: Hex.decode(address),
    topics: topics.map((topic) => Hex.decode(topic)),
    data: Hex.decode(data),
  }))
  const hash = Bytes.concat(new TextEncoder().encode(branch.padEnd(28)), Uint8Array.of(0, 0, 0, height))
  const transactions = [evmTransaction({ logs })]
  return evmBlock(BigInt(height), { transactions, hash, ...(parent && { parentHash: parent.hash }) })
}

function chainOf(length: number, branch: string, before: readonly Block[] = []): readonly Block[] {
  const blocks = [...before]
  while (blocks.length < length) blocks.push(blockAt(blocks.length, branch, blocks.at(-1)))
  return blocks
}

/** Returns the events of blocks as viem decodes their logs, newest first, in the format of the API. */
function expected(blocks: readonly Block[], abi: Abi, name: string) {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'bigint' || typeof value === 'number') return String(value)
    if (Array.isArray(value)) return value.map(plain)
    return typeof value === 'object' && value !== null ? Object.values(value).map(plain) : value
  }
  return blocks
    .flatMap(({ height, transactions }) =>
      transactions.flatMap(({ logs }) =>
        logs.flatMap(({ index, address, topics, data }) => {
          try {
            const log = { topics: topics.map((topic) => Hex.encode(topic)), data: Hex.encode(data) }
            const { eventName, args = {} } = decodeEventLog({ abi, ...log } as never) as {
              eventName: string
              args?: object
            }
            if (eventName !== name) return []
            const values = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, plain(value)]))
            return [
              {
                at: [String(height), Number(index), getAddress(Hex.encode(address) as `0x${string}`)],
                args: values,
              },
            ]
          } catch {
            return []
          }
        }),
      ),
    )
    .toReversed()
}

describe('GET /v1/chains/{chainId}/events/{name}', () => {
  let store: EvmStore
  beforeAll(async () => {
    const isThere = TestPostgres.missing() === undefined
    store = await openEvm(isThere ? { url: await TestPostgres.url(), schema: `events_${process.pid}` } : {})
  })
  afterAll(() => store.close())

  test('lists the events of three known ABIs, from stored blocks and through a reorg', async () => {
    const indexed = (blocks: readonly Block[]) => blocks.map((block) => ({ block, contracts: [] }))
    const writer = await EvmWriter.open(store, { ...TEST_CHAIN, hasTraces: false })
    const chain = chainOf(40, 'main')
    await writer.commit(indexed(chain))
    const tables = await EventTables.create(store, EVENTS)
    const ask = await serveEvm([store])
    const OF = `/v1/chains/${TEST_CHAIN.chainId}/events`
    const all = async (name: string, query = '') => {
      const events: { at: unknown; args: unknown }[] = []
      for (let next: string | undefined = `${OF}/${name}?pageSize=15${query}`; next !== undefined; ) {
        const { status, json } = await ask(next)
        expect([name, status]).toEqual([name, 200])
        type Event = { blockNumber: string; logIndex: number; address: string; args: object }
        events.push(
          ...json.events.map(({ blockNumber, logIndex, address, args }: Event) => ({
            at: [blockNumber, logIndex, address],
            args,
          })),
        )
        next = json.nextPageToken && `${OF}/${name}?pageSize=15&pageToken=${json.nextPageToken}`
      }
      return events
    }
    const check = async (blocks: readonly Block[]) => {
      while (await EventTables.advance(store, tables));
      for (const { abi, event } of EVENTS) {
        expect(await all(`${abi}.${event.name}`)).toEqual(expected(blocks, ABIS[abi] as Abi, event.name))
      }
    }
    expect((await ask(`${OF}/Swap`)).json).toMatchObject({ completeFromBlock: '0', events: [] })
    await check(chain)
    await writer.undo(25n)
    const branch = chainOf(50, 'other', chain.slice(0, 26))
    expect((await ask(`${OF}/Swap`)).json.completeToBlock).toBe('25')
    await writer.commit(indexed(branch.slice(26)))
    await check(branch)
    const sent = expected(branch, MESSENGER, 'SendCrossChainMessage')
    expect(sent.length).toBeGreaterThan(10)
    expect((await ask(`${OF}/Swap`)).json).toMatchObject({
      signature: 'Swap(address,uint256,uint256,uint256,uint256,address)',
      completeToBlock: '49',
    })
    const own = sent.filter(({ at }) => at[2] === sent[0]?.at[2] && Number(at[0]) >= 10 && Number(at[0]) < 30)
    const filter = `&addresses=${sent[0]?.at[2]}&startBlock=10&endBlock=30`
    expect(await all('SendCrossChainMessage', filter)).toEqual(own)
    await checkArguments(branch, all)
  })

  type Listed = ReturnType<typeof expected>
  /** Compares lists by one and by several arguments with the events that have these values. */
  async function checkArguments(
    blocks: readonly Block[],
    all: (name: string, query: string) => Promise<readonly unknown[]>,
  ): Promise<void> {
    for (const [abi, name, filters] of [
      ['Coin', 'Transfer', [['from'], ['to'], ['value'], ['from', 'value']]],
      ['Pair', 'Swap', [['sender', 'to', 'amount0In'], ['amount1Out']]],
      ['Messenger', 'SendWarpMessage', [['messageID'], ['message'], ['sender', 'message']]],
    ] as const) {
      const events = expected(blocks, ABIS[abi] as Abi, name)
      const wanted = events[3] as Listed[number]
      for (const names of filters) {
        const textOf = ({ args }: Listed[number], key: string) =>
          String((args as Readonly<Record<string, unknown>>)[key])
        const own = events.filter((event) => names.every((key) => textOf(event, key) === textOf(wanted, key)))
        expect(own.length).toBeGreaterThan(0)
        const args = names.map((key) => `&args=${key}=${textOf(wanted, key)}`).join('')
        expect(await all(`${abi}.${name}`, args)).toEqual(own)
        const contracts = `&addresses=${wanted.at[2]},${Hex.encode(evmAddress(77))}`
        expect(await all(`${abi}.${name}`, args + contracts)).toEqual(
          own.filter(({ at }) => at[2] === wanted.at[2]),
        )
      }
    }
  }

  test.each([
    ['Transfer', 'amount=1', 'args: expected one of from, to, value, got amount'],
    [
      'Transfer',
      'from=0x12',
      'args: expected an address of 0x and 40 hexadecimal digits for from, got "0x12"',
    ],
    ['Transfer', 'value=0x1', 'args: expected a decimal uint256 for value, got "0x1"'],
    ['SendWarpMessage', 'messageID=0x', '64 hexadecimal digits for messageID'],
    ['SendWarpMessage', 'message=0x123', 'an even number of hexadecimal digits for message'],
    ['SendCrossChainMessage', 'feeInfo=1', 'arrays and tuples cannot be searched'],
    ['Transfer', 'from', 'separated by commas'],
  ])('rejects the arguments of %s in %s', async (name, args, message) => {
    const ask = await serveEvm([store])
    const { status, json } = await ask(`/v1/chains/${TEST_CHAIN.chainId}/events/${name}?args=${args}`)
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('rejects names of no event and of several events', async () => {
    const more = EventAbi.parse(parseAbi(['event Swap(uint8 kind)'])).map((event) => ({
      abi: 'Other',
      event,
      addresses: [],
    }))
    await EventTables.create(store, more)
    const ask = await serveEvm([store])
    const of = (name: string) => ask(`/v1/chains/${TEST_CHAIN.chainId}/events/${name}`)
    const { status, json } = await of('Swap')
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(/one of Other\.Swap, Pair\.Swap, got Swap/),
    ])
    expect((await of('Pair.Swap')).status).toBe(200)
    expect((await of('Unknown')).status).toBe(404)
  })

  test('serves only events and their logs of a chain of which only events are stored', async () => {
    const events = await openEvm({ chainId: 7n })
    const address = evmAddress(5)
    const [transfer] = EVENTS as [(typeof EVENTS)[number]]
    const topic0 = EventAbi.topic(transfer.event)
    const chain = { ...TEST_CHAIN, chainId: 7n, hasTraces: false, isEventsOnly: true }
    const writer = await EvmWriter.open(events, chain, { selection: [{ topic0, address }] })
    const { transactions, ...header } = chainOf(1, 'main')[0] as Block
    const topics = [topic0, ...[1, 2].map((byte) => new Uint8Array(32).fill(byte, 12))]
    const log = { index: 4n, address, topics, data: new Uint8Array(32).fill(3) }
    const hash = new Uint8Array(32).fill(9)
    const selected = { count: 3, transactions: [{ hash, index: 2, logs: [log] }] }
    const block = { ...header, transactions: [], traces: undefined, selected }
    await expect(
      writer.commit([{ block: { ...header, transactions, traces: undefined }, contracts: [] }]),
    ).rejects.toMatchObject({ code: 'STORE_BLOCK' })
    await writer.commit([{ block, contracts: [] }])
    const tables = await EventTables.create(events, [{ ...transfer, addresses: [address] }])
    await EventTables.advance(events, tables)
    const ask = await serveEvm([events])
    const of = async (path: string) => {
      const { status, json } = await ask(`/v1/chains/7${path}`)
      return status === 200 ? json : status
    }
    const [contract, topic, transactionHash] = [address, topic0, hash].map((one) => Hex.encode(one))
    expect(await of('/events/Transfer')).toMatchObject({
      completeFromBlock: '0',
      events: [{ txHash: transactionHash, logIndex: 4 }],
    })
    expect(await of(`/logs?addresses=${contract}&topic0=${topic}`)).toMatchObject({
      completeFromBlock: '0',
      logs: [{ txHash: transactionHash }],
    })
    const others = [
      `/logs?addresses=${contract}`,
      `/logs?topic0=${topic}`,
      '/blocks',
      '/blocks/0',
      '/transactions',
    ]
    for (const path of [
      ...others,
      `/addresses/${contract}/balances:listErc20`,
      `/tokens/${contract}/holders`,
    ])
      expect([path, await of(path)]).toEqual([path, 404])
    expect(await of('')).toMatchObject({ status: 'OK', enabledFeatures: [] })
    expect((await ask('/v1/blocks')).json.blocks).toEqual([])
    await EvmWriter.open(events, chain, { selection: [{ topic0, address: undefined }] })
    expect(await of(`/logs?topic0=${topic}`)).toMatchObject({ completeFromBlock: '1', logs: [] })
    await expect(EvmWriter.open(events, { ...chain, isEventsOnly: false })).rejects.toMatchObject({
      code: 'STORE_NETWORK',
    })
    await events.close()
  })
})
