import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Hex, Id } from '@firn/codec'
import { icmId, icmLogs, type TestMessage, warpLog } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { evmBlock, evmHash, evmTransaction, openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { EvmAddress } from '@firn/keys'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metricsEndpoints } from '../../metrics/Endpoints.ts'
import { all, client } from '../../testing/client.ts'
import { createEvm, evmContextOf } from '../../testing/serveEvm.ts'
import { evmEndpoints } from '../Endpoints.ts'
import { icmEndpoints } from './Endpoints.ts'

type HexText = `0x${string}`
type Logs = ReturnType<typeof icmLogs.sent>
const address = (byte: string): HexText => `0x${byte.repeat(20)}`
const chain = (byte: string): HexText => `0x${byte.repeat(32)}`
const checksum = (text: HexText) => EvmAddress.format(Hex.decode(text))
const cb58 = (text: HexText) => Id.format(Hex.decode(text))

const [A, B, C] = [chain('a1'), chain('b2'), chain('c3')]
const [ALICE, BOB, CAROL] = [address('1a'), address('1b'), address('1c')]
const [RELAYER, REDEEMER, TOKEN] = [address('41'), address('42'), address('fe')]
const MESSENGER = address('25')
const base = { messenger: MESSENGER, data: '0xc0ffee' as HexText }
const M1: TestMessage = {
  ...base,
  source: A,
  destination: B,
  nonce: 1n,
  from: ALICE,
  to: BOB,
  fee: [TOKEN, 1_000n],
}
const M2: TestMessage = { ...base, source: A, destination: B, nonce: 2n, from: CAROL, to: BOB }
const M3: TestMessage = { ...base, source: A, destination: C, nonce: 3n, from: ALICE, to: CAROL }
const N1: TestMessage = {
  ...base,
  data: '0x',
  source: C,
  destination: A,
  nonce: 1n,
  from: BOB,
  to: ALICE,
  receipts: [[3n, REDEEMER]],
}
const WARP = warpLog(CAROL, A, '0x0102')

/** What each block of the chains logs. */
const ON_A: readonly Logs[] = [
  [],
  icmLogs.sent(M1),
  [...icmLogs.sent(M2), ...icmLogs.sent(M3)],
  icmLogs.feeAdded(M1, [TOKEN, 1_500n]),
  icmLogs.sent(M2),
  icmLogs.receipt(M3, REDEEMER, [TOKEN, 0n]),
  icmLogs.receipt(M1, REDEEMER, [TOKEN, 1_500n]),
  [...icmLogs.redeemed(M1, REDEEMER, TOKEN, 9_000n), WARP],
  icmLogs.received(N1, RELAYER, address('00')),
]
const ON_B: readonly Logs[] = [
  [],
  [],
  [...icmLogs.received(M1, RELAYER, REDEEMER), ...icmLogs.failed(M1)],
  [],
  [],
  icmLogs.executed(M1),
  [...icmLogs.received(M2, RELAYER, REDEEMER), ...icmLogs.executed(M2)],
]

const SPEED = 1_800n

/** Fills a chain: the block at each height has one transaction with the logs. Blocks are half an hour apart. */
async function fill(store: EvmStore, logs: readonly Logs[], from = 0, fork = 0): Promise<EvmWriter> {
  const writer = await EvmWriter.open(store, { ...TEST_CHAIN, chainId: store.chainId })
  for (const [i, own] of logs.entries()) {
    const height = BigInt(from + i)
    const transaction = evmTransaction({
      hash: evmHash(height, Number(store.chainId % 50n) + 100),
      gasUsed: 50_000n + height,
      logs: own.map((log, index) => ({ ...log, index: BigInt(index) })),
    })
    const block = evmBlock(height, {
      hash: evmHash(height, fork),
      parentHash: evmHash(height - 1n, i === 0 ? 0 : fork),
      timestamp: 1_700_000_000n + SPEED * height,
      transactions: [transaction],
    })
    await writer.commit([{ block, contracts: [] }])
  }
  return writer
}

let [a, b]: EvmStore[] = []
let writerOfB: EvmWriter
let server: FastifyInstance
let sdk: Avalanche
let url: string
let signed: (() => string) | undefined

beforeAll(async () => {
  a = await openEvm({ chainId: 1_001n })
  b = await openEvm({ chainId: 1_002n })
  await fill(a, ON_A)
  writerOfB = await fill(b, ON_B)
  const context = await evmContextOf([a, b], {
    aggregate: async () => {
      if (signed === undefined) throw new Error('no quorum')
      return { signedMessage: signed() }
    },
  })
  server = await createEvm([...evmEndpoints(context), ...icmEndpoints(context), ...metricsEndpoints(context)])
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  sdk = client(url)
})
afterAll(() => server.close())

const idOf = (message: TestMessage) => icmId(message).slice(2)
const timeOf = (height: number) => 1_700_000_000 + 1_800 * height
const hashOf = (store: EvmStore | undefined, height: number) =>
  Hex.encode(evmHash(BigInt(height), Number((store?.chainId ?? 0n) % 50n) + 100))
const names = new Map([M1, M2, M3, N1].map((one, i) => [idOf(one), ['M1', 'M2', 'M3', 'N1'][i]]))
type Listed = { readonly messageId: string; readonly status: string }
const shown = (messages: readonly Listed[]) =>
  messages.map(({ messageId, status }) => `${names.get(messageId)} ${status}`)

const EVERYTHING = ['N1 delivered_source_not_indexed', 'M3 pending', 'M2 delivered', 'M1 delivered']

test('lists messages of all chains through the SDK, newest first, in pages of any size', async () => {
  for (const pageSize of [1, 2, 3, 100]) {
    const pages = await all(sdk.data.icm.list({ pageSize }))
    expect(shown(pages.flatMap(({ messages }) => messages))).toEqual(EVERYTHING)
    const former = await all(sdk.data.teleporter.listTeleporterMessages({ pageSize }))
    expect(shown(former.flatMap(({ messages }) => messages))).toEqual(EVERYTHING)
  }
})

test.each<[object, readonly string[]]>([
  [{ sourceBlockchainId: cb58(A) }, ['M3', 'M2', 'M1']],
  [{ sourceBlockchainId: '1001' }, ['M3', 'M2', 'M1']],
  [{ sourceBlockchainId: cb58(C) }, ['N1']],
  [{ destinationBlockchainId: '1002' }, ['M2', 'M1']],
  [{ destinationBlockchainId: cb58(C) }, ['M3']],
  [{ destinationBlockchainId: '7' }, []],
  [{ sourceBlockchainId: cb58(A), destinationBlockchainId: cb58(A) }, []],
  [{ blockchainId: cb58(C) }, ['N1', 'M3']],
  [{ blockchainId: cb58(B) }, ['M2', 'M1']],
  [{ blockchainId: '1001' }, ['N1', 'M3', 'M2', 'M1']],
  [{ from: ALICE }, ['M3', 'M1']],
  [{ to: BOB }, ['M2', 'M1']],
  [{ from: CAROL, to: BOB, destinationBlockchainId: cb58(B) }, ['M2']],
  [{ from: CAROL, to: ALICE }, []],
  [{ network: 'mainnet' }, []],
  [{ network: 'fuji', from: BOB }, ['N1']],
])('lists messages by %o', async (filter, expected) => {
  for (const pageSize of [1, 100]) {
    const pages = await all(sdk.data.icm.list({ ...filter, pageSize }))
    expect(pages.flatMap(({ messages }) => messages).map(({ messageId }) => names.get(messageId))).toEqual(
      expected,
    )
  }
})

test('lists messages by time, and messages from or to an address once', async () => {
  const listed = async (query: string) => {
    const { messages } = (await (await fetch(`${url}/v1/icm/${query}`)).json()) as { messages: Listed[] }
    return messages.map(({ messageId }) => names.get(messageId))
  }
  expect(await listed(`messages?startTimestamp=${timeOf(2)}&endTimestamp=${timeOf(8)}`)).toEqual(['M3', 'M2'])
  expect(await listed(`messages?endTimestamp=${timeOf(2)}`)).toEqual(['M1'])
  const byAddress = async (address: string) => shown((await sdk.data.icm.listByAddress({ address })).messages)
  expect(await byAddress(ALICE)).toEqual([EVERYTHING[0], EVERYTHING[1], EVERYTHING[3]])
  expect(await byAddress(CAROL)).toEqual([EVERYTHING[1], EVERYTHING[2]])
  expect(
    shown((await sdk.data.teleporter.listTeleporterMessagesByAddress({ address: ALICE })).messages),
  ).toHaveLength(3)
})

test('returns messages by their ids through the SDK', async () => {
  const common = {
    messageId: idOf(M1),
    sourceBlockchainId: cb58(A),
    destinationBlockchainId: cb58(B),
    sourceEvmChainId: '1001',
    destinationEvmChainId: '1002',
    messageNonce: '1',
    from: checksum(ALICE),
    to: checksum(BOB),
    data: '0xc0ffee',
    messageExecuted: true,
    receipts: [],
    receiptDelivered: true,
    rewardDetails: {
      address: checksum(TOKEN),
      name: '',
      symbol: '',
      decimals: 0,
      ercType: 'ERC-20',
      value: '1500',
    },
    sourceTransaction: { txHash: hashOf(a, 1), timestamp: timeOf(1), gasSpent: '50001' },
    destinationTransaction: {
      txHash: hashOf(b, 2),
      timestamp: timeOf(2),
      gasSpent: '50002',
      rewardRedeemer: checksum(REDEEMER),
      delivererAddress: checksum(RELAYER),
    },
    status: 'delivered',
  }
  for (const messageId of [idOf(M1), icmId(M1), cb58(icmId(M1))])
    expect(await sdk.data.icm.get({ messageId })).toEqual({
      ...common,
      icmContractAddress: checksum(MESSENGER),
    })
  expect(await sdk.data.teleporter.getTeleporterMessage({ messageId: idOf(M1) })).toEqual({
    ...common,
    teleporterContractAddress: checksum(MESSENGER),
  })
  const pending = await sdk.data.icm.get({ messageId: idOf(M3) })
  expect(pending).toMatchObject({
    status: 'pending',
    destinationEvmChainId: 'unknown',
    receiptDelivered: true,
    messageExecuted: false,
  })
  const foreign = await sdk.data.icm.get({ messageId: idOf(N1) })
  expect(foreign).toMatchObject({
    status: 'delivered_source_not_indexed',
    messageExecuted: false,
    receipts: [{ receivedMessageNonce: '3', relayerRewardAddress: checksum(REDEEMER) }],
  })
  expect(foreign.data).toBe('0x')
  await expect(sdk.data.icm.get({ messageId: '00'.repeat(32) })).rejects.toMatchObject({ statusCode: 404 })
  await expect(sdk.data.icm.get({ messageId: 'zz' })).rejects.toMatchObject({ statusCode: 400 })
})

interface Story {
  readonly [member: string]: unknown
  readonly events: readonly {
    readonly type: string
    readonly evmChainId: string
    readonly timestamp: number
  }[]
}
const storyOf = async (id: string, query = ''): Promise<Story> =>
  (await (await fetch(`${url}/v1/icm/messages/${id}/story${query}`)).json()) as Story
const told = ({ events }: Story) =>
  events.map(
    ({ type, evmChainId, timestamp }) => `${type} ${evmChainId} ${(timestamp - 1_700_000_000) / 1_800}`,
  )

test('tells the whole story of a message that failed, and was executed by a retry', async () => {
  const story = await storyOf(idOf(M1))
  expect(story).toMatchObject({
    ...{ kind: 'teleporter', status: 'executed', isRetried: true, isResent: false },
    ...{
      isSourceFollowed: true,
      isDestinationFollowed: true,
      requiredGasLimit: '100000',
      allowedRelayers: [],
    },
    fee: { value: '1500' },
  })
  expect(told(story)).toEqual([
    'sent 1001 1',
    'received 1002 2',
    'failed 1002 2',
    'feeAdded 1001 3',
    'executed 1002 5',
    'receipt 1001 6',
    'redeemed 1001 7',
  ])
  const [sent, received, , added, , , redeemed] = story.events
  expect(sent).toMatchObject({
    feeToken: checksum(TOKEN),
    feeAmount: '1000',
    blockNumber: '1',
    txHash: hashOf(a, 1),
  })
  expect(received).toMatchObject({ relayer: checksum(RELAYER), rewardRedeemer: checksum(REDEEMER) })
  expect(added).toMatchObject({ feeAmount: '1500' })
  expect(redeemed).toMatchObject({ feeAmount: '9000', relayer: checksum(REDEEMER) })
  // The Warp message has a different id, by which the story is found, too.
  expect(await storyOf(String(story['warpMessageId']))).toEqual(story)
})

test('tells the stories of messages from and to chains that are not followed, and of those sent again', async () => {
  const resent = await storyOf(idOf(M2))
  expect([resent['status'], resent['isRetried'], resent['isResent']]).toEqual(['executed', false, true])
  expect(told(resent)).toEqual(['sent 1001 2', 'resent 1001 4', 'received 1002 6', 'executed 1002 6'])
  const away = await storyOf(idOf(M3))
  expect(away).toMatchObject({
    status: 'delivered',
    isDestinationFollowed: false,
    destinationEvmChainId: 'unknown',
  })
  expect(told(away)).toEqual(['sent 1001 2', 'receipt 1001 5'])
  const foreign = await storyOf(idOf(N1))
  expect(foreign).toMatchObject({ status: 'delivered', isSourceFollowed: false, isDestinationFollowed: true })
  expect(foreign).not.toHaveProperty('unsignedMessage')
  expect(told(foreign)).toEqual(['received 1001 8'])
})

test('tells the story of a Warp message that no messenger sent', async () => {
  const id = Hex.encode(WARP.topics[2] as Uint8Array)
  const story = await storyOf(id)
  expect(story).toMatchObject({
    kind: 'warp',
    status: 'sent',
    contractAddress: checksum(CAROL),
    sourceBlockchainId: cb58(A),
  })
  expect(told(story)).toEqual(['warp 1001 7'])
})

test('adds signatures to a story on request, or the reason why there are none', async () => {
  expect(await storyOf(idOf(M1))).not.toHaveProperty('signatures')
  signed = undefined
  expect((await storyOf(idOf(M1), '?signatures=true'))['signatures']).toEqual({ reason: 'no quorum' })
  signed = () => 'abcd'
  expect((await storyOf(idOf(M1), '?signatures=true'))['signatures']).toEqual({ signedMessage: 'abcd' })
})

test('counts messages through the SDK, in total and by route', async () => {
  const zero = { lastHour: 0, lastDay: 0, lastWeek: 0, lastMonth: 0, last90Days: 0, lastYear: 0, allTime: 0 }
  const all = { lastDay: 4, lastWeek: 4, lastMonth: 4, last90Days: 4, lastYear: 4, allTime: 4 }
  const { chains } = sdk.metrics
  // Blocks are half an hour apart, and N1 was received in the newest one.
  expect((await chains.getICMSummary({})).result).toEqual({
    ...all,
    lastHour: 1,
    srcBlockchainId: 'total',
    destBlockchainId: 'total',
  })
  const ofB = await chains.getICMSummary({ destBlockchainId: '1002', network: 'fuji' })
  expect(ofB.result).toMatchObject({
    allTime: 2,
    lastHour: 0,
    destBlockchainId: cb58(B),
    srcBlockchainId: 'total',
  })
  expect((await chains.getICMSummary({ network: 'mainnet' })).result).toMatchObject(zero)
  const grouped = (await (
    await fetch(`${url}/v2/icm/summary?groupBy=srcBlockchainId,destBlockchainId`)
  ).json()) as {
    results: { srcBlockchainId: string; destBlockchainId: string; allTime: number }[]
  }
  const routes = grouped.results.map((one) => [one.srcBlockchainId, one.destBlockchainId, one.allTime])
  expect(routes).toEqual(
    expect.arrayContaining([
      [cb58(A), cb58(B), 2],
      [cb58(A), cb58(C), 1],
      [cb58(C), cb58(A), 1],
    ]),
  )
  expect(routes).toHaveLength(3)
})

test.each([
  ['1001', 'teleporterSourceTxnCount', 3],
  ['1001', 'teleporterDestinationTxnCount', 1],
  ['1001', 'teleporterTotalTxnCount', 4],
  ['1002', 'teleporterSourceTxnCount', 0],
  ['1002', 'teleporterDestinationTxnCount', 2],
  ['1002', 'teleporterTotalTxnCount', 2],
])('counts the messages of chain %s as %s', async (chainId, metric, value) => {
  const response = await fetch(`${url}/v2/chains/${chainId}/teleporterMetrics/${metric}`)
  expect(await response.json()).toEqual({ result: { value } })
})

test('rejects unknown metrics and chains of messages', async () => {
  const statusOf = async (path: string) => (await fetch(`${url}/v2/chains/${path}`)).status
  expect(await statusOf('1001/teleporterMetrics/txCount')).toBe(400)
  expect(await statusOf('7/teleporterMetrics/teleporterTotalTxnCount')).toBe(404)
})

test('returns numbers of messages by hour through the SDK, in pages', async () => {
  const hourOf = (height: number) => timeOf(height) - (timeOf(height) % 3_600)
  // By hand: M1 at block 1, M2 and M3 at block 2, N1 at block 8.
  const hours = new Map<number, number>()
  for (const height of [1, 2, 2, 8]) hours.set(hourOf(height), (hours.get(hourOf(height)) ?? 0) + 1)
  const expected = [...hours].sort(([one], [other]) => other - one)
  const first = await sdk.metrics.chains.getICMTimeseries({ timeInterval: 'hour' })
  expect(first.results.map(({ timestamp, value }) => [timestamp, value])).toEqual(expected)
  const read: unknown[] = []
  let pageToken: string | undefined
  do {
    const page = await sdk.metrics.chains.getICMTimeseries({
      ...{ timeInterval: 'hour', groupBy: 'srcBlockchainId,destBlockchainId', pageSize: 1 },
      ...(pageToken === undefined ? {} : { pageToken }),
    })
    read.push(
      ...page.results.map((one) => [one.timestamp, one.srcBlockchainId, one.destBlockchainId, one.value]),
    )
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  expect(read).toHaveLength(hourOf(1) === hourOf(2) ? 3 : 4)
  const routes = [
    [hourOf(8), cb58(C), cb58(A), 1],
    [hourOf(2), cb58(A), cb58(C), 1],
  ]
  expect(read).toEqual(expect.arrayContaining(routes))
  const ofA = await sdk.metrics.chains.getICMTimeseries({ srcBlockchainId: '1001', timeInterval: 'month' })
  expect(ofA.results).toEqual([
    { timestamp: 1_698_796_800, value: 3, srcBlockchainId: cb58(A), destBlockchainId: 'total' },
  ])
})

test('names the message of a transaction', async () => {
  const of = async (store: EvmStore | undefined, height: number) =>
    (await sdk.data.evm.transactions.get({ chainId: `${store?.chainId}`, txHash: hashOf(store, height) }))
      .teleporterMessageInfo
  expect(await of(a, 1)).toEqual({
    teleporterMessageId: idOf(M1),
    direction: 'SOURCE_TRANSACTION',
    destinationChainId: '1002',
  })
  expect(await of(b, 6)).toEqual({
    teleporterMessageId: idOf(M2),
    direction: 'DESTINATION_TRANSACTION',
    sourceChainId: '1001',
  })
  expect(await of(a, 3)).toBeUndefined()
})

test('takes back what a reorg removes, and tells what replaces it', async () => {
  const { nextPageToken } = (await (await fetch(`${url}/v1/icm/messages?pageSize=1`)).json()) as {
    nextPageToken: string
  }
  await writerOfB.undo(4n)
  expect(told(await storyOf(idOf(M1)))).not.toContain('executed 1002 5')
  expect((await storyOf(idOf(M1)))['status']).toBe('failed')
  expect(shown((await all(sdk.data.icm.list({}))).flatMap(({ messages }) => messages))).toEqual([
    ...EVERYTHING.slice(0, 2),
    'M2 pending',
    'M1 delivered',
  ])
  const stale = await fetch(`${url}/v1/icm/messages?pageToken=${nextPageToken}`)
  expect(stale.status).toBe(503)
  writerOfB = await fill(b as EvmStore, [icmLogs.executed(M1), [], []], 5, 3)
  expect(await storyOf(idOf(M1))).toMatchObject({ status: 'executed', isRetried: true })
  expect((await fetch(`${url}/v1/icm/messages?pageToken=${nextPageToken}`)).status).toBe(400)
})
