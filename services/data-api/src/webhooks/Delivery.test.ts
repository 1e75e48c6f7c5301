import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Avalanche } from '@avalanche-sdk/chainkit'
import { validateSignature } from '@avalanche-sdk/chainkit/utils/validateSignature.js'
import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { until } from '@firn/runtime/testing'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDataApi, type DataApiService } from '../service/Service.ts'
import { client } from '../testing/client.ts'
import { newKey } from '../testing/serveWebhooks.ts'

interface Received {
  readonly body: string
  readonly headers: Record<string, string>
}

const chain = inventedChain({ seed: 3, transactions: [1, 3], isAsynchronous: true })
/** The chain whose blocks are stored. */
let tip = chain
const received: Received[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
let store: EvmStore
let writer: EvmWriter
let service: DataApiService
let sdk: Avalanche
let key: string
let url: string
let secret: string

const target = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    received.push({
      body: Buffer.concat(chunks).toString(),
      headers: request.headers as Record<string, string>,
    })
    answer(request, response)
  })
})

const commit = (parts: ReturnType<typeof chain.grow>) =>
  writer.commit(parts.map((one) => ({ block: BlockReader.read(one), contracts: [] })))
/** Returns all senders of the next blocks, which are the same in each branch that starts above. */
const sendersOf = (parts: ReturnType<typeof chain.grow>) => [
  ...new Set(
    parts.flatMap(({ block }) => (block['transactions'] as { from: string }[]).map(({ from }) => from)),
  ),
]
const create = (addresses: readonly string[], more: object = {}) =>
  fetch(`${service.url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-data-api-key': key },
    body: JSON.stringify({
      ...{ eventType: 'address_activity', url, chainId: '1337', metadata: { addresses } },
      ...more,
    }),
  }).then((response) => response.json() as Promise<{ id: string }>)
const call = async (path: string, body?: object) => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${service.url}${path}`, { ...init, headers: { 'x-data-api-key': key } })
  // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
  return (await response.json()) as any
}
const verify = ({ body, headers }: Received) =>
  sdk.validateWebhook({ request: { body, headers, method: 'POST', url }, secret })
const messages = () => received.map(({ body }) => JSON.parse(body))
const arrived = (count: number) => until(() => expect(received.length).toBeGreaterThanOrEqual(count))

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`
  store = await openEvm()
  writer = await EvmWriter.open(store, TEST_CHAIN)
  await commit(chain.grow(3))
  service = await createDataApi({
    ...{ chains: [{ store, nodes: [] }], host: '127.0.0.1', port: 0, limits: undefined },
    ...{ aggregateStatus: 200, timeoutMs: 600_000, version: '0' },
    webhooks: { isDelivering: true, networks: ['127.0.0.1'], timeoutMs: 600_000 },
  })
  key = await newKey(store)
  sdk = client(service.url, key)
  secret = (await sdk.webhooks.generateOrRotateSharedSecret()).secret
})
afterAll(async () => {
  target.closeAllConnections()
  target.close()
  await service?.close()
  await store?.close()
})
beforeEach(() => {
  received.length = 0
  answer = (_request, response) => response.end()
})

test("sends signed messages that the official client's code verifies, and tells a reorg as a removal", async () => {
  tip = chain.branch(2n, 'one')
  const added = tip.grow(2)
  const transactions = added.flatMap(({ block }) => block['transactions'] as { hash: string }[])
  const { id } = await create(sendersOf(added), { includeLogs: true, includeInternalTxs: true })
  await commit(added)
  await arrived(transactions.length)
  const told = await Promise.all(received.map(verify))
  expect(told.map(({ event }) => event.transaction.txHash)).toEqual(transactions.map(({ hash }) => hash))
  for (const [i, { webhookId, eventType, messageId, event }] of told.entries()) {
    expect([webhookId, eventType, messageId]).toEqual([
      id,
      'address_activity',
      received[i]?.headers['x-message-id'],
    ])
    const parts = added.find(({ block }) => block.hash === event.transaction.blockHash)
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
    const receipt = parts?.receipts[event.transaction.transactionIndex] as any
    expect(event.logs?.map(({ data, removed }) => [data, removed])).toEqual(
      // biome-ignore lint/suspicious/noExplicitAny: the JSON of a node
      receipt.logs.map((log: any) => [log.data, false]),
    )
    expect(event.transaction.receiptGasUsed).toBe(String(BigInt(receipt.gasUsed)))
    expect(event.transaction.receiptCumulativeGasUsed).toBe(String(BigInt(receipt.cumulativeGasUsed)))
    expect(event.transaction.internalTransactions).toBeDefined()
  }
  await expect(verify({ ...(received[0] as Received), body: `${received[0]?.body} ` })).rejects.toThrow(
    'Invalid signature',
  )
  await expect(
    sdk.validateWebhook({ request: { ...(received[0] as Received), method: 'POST', url }, secret: 'other' }),
  ).rejects.toThrow()
  received.length = 0
  await writer.undo(2n)
  await arrived(transactions.length)
  const removed = await Promise.all(received.map(verify))
  expect(removed.map(({ event }) => [event.transaction.txHash, event.transaction.txStatus])).toEqual(
    transactions.map(({ hash }) => [hash, 'removed']).reverse(),
  )
  expect(messages().every((message) => message.removed === true)).toBe(true)
  expect(removed.flatMap(({ event }) => event.logs ?? []).every((log) => log.removed)).toBe(true)
  await sdk.webhooks.deactivate({ id })
})

test('tells a webhook that waits for settled results of a block once a later block declares it settled', async () => {
  const before = await store.snapshot()
  tip = chain.branch(before.height, 'two')
  const added = tip.grow(8)
  const { id } = await create(sendersOf(added), { finality: 'settled' })
  const expected: string[] = []
  for (const part of added) {
    await commit([part])
    const { settledHeight } = await store.snapshot()
    expected.length = 0
    for (const { block } of added.filter((one) => BigInt(one.block.number) <= (settledHeight ?? -1n)))
      expected.push(...(block['transactions'] as { hash: string }[]).map(({ hash }) => hash))
  }
  expect(expected.length).toBeGreaterThan(0)
  const isOfAdded = (hash: string) => expected.includes(hash)
  await until(() =>
    expect(
      messages()
        .map(({ event }) => event.transaction.txHash)
        .filter(isOfAdded),
    ).toEqual(expected),
  )
  const all = added.flatMap(({ block }) =>
    (block['transactions'] as { hash: string }[]).map(({ hash }) => hash),
  )
  const unsettled = all.filter((hash) => !expected.includes(hash))
  expect(unsettled.length).toBeGreaterThan(0)
  expect(messages().some(({ event }) => unsettled.includes(event.transaction.txHash))).toBe(false)
  await sdk.webhooks.deactivate({ id })
})

test('repeats failed messages in order, shows them, and replays them from a block on', async () => {
  const added = tip.grow(2)
  const { id } = await create(sendersOf(added))
  let failures = 2
  answer = (_request, response) => {
    response.statusCode = failures-- > 0 ? 500 : 200
    response.end()
  }
  await commit(added)
  const count = added.flatMap(({ block }) => block['transactions'] as object[]).length
  await arrived(count + 2)
  const ids = messages().map(({ messageId }) => messageId)
  expect(ids[0]).toBe(ids[1])
  expect(ids[1]).toBe(ids[2])
  expect(new Set(ids).size).toBe(count)
  await until(async () => {
    const { deliveries } = await call(`/v1/webhooks/${id}/deliveries?pageSize=100&state=delivered`)
    expect(deliveries.map((one: { messageId: string }) => one.messageId)).toEqual([...new Set(ids)].reverse())
    expect(deliveries.at(-1)).toMatchObject({ attempts: 3, status: 200, removed: false })
  })
  const last = added[1]?.block.number ?? ''
  received.length = 0
  const { queued } = await call(`/v1/webhooks/${id}:replay`, { fromBlock: String(BigInt(last)) })
  expect(queued).toBe(added.slice(1).flatMap(({ block }) => block['transactions'] as object[]).length)
  await arrived(queued)
  expect(messages().map(({ messageId }) => messageId)).toEqual([...new Set(ids)].slice(-queued))
  await sdk.webhooks.deactivate({ id })
})

test('stores the result of every message while others are being sent', async () => {
  const added = tip.grow(3)
  const ids: string[] = []
  for (let i = 0; i < 30; i++) ids.push((await create(sendersOf(added))).id)
  await commit(added)
  const count = added.flatMap(({ block }) => block['transactions'] as object[]).length
  // A message whose result is not stored is sent again when the claim expires, so there would be more messages.
  await until(async () => {
    for (const id of ids) {
      const { deliveries } = await call(`/v1/webhooks/${id}/deliveries?pageSize=100&state=delivered`)
      expect(deliveries).toHaveLength(count)
    }
  })
  expect(received).toHaveLength(count * ids.length)
  for (const id of ids) await sdk.webhooks.deactivate({ id })
})

test('sends a test message at once, and never logs or returns the secret', async () => {
  const { id } = await create([Hex.encode(new Uint8Array(20).fill(9))])
  const accepted = await call(`/v1/webhooks/${id}:sendTest`, {})
  expect(accepted).toMatchObject({ isAccepted: true, status: 200 })
  expect(await verify(received[0] as Received)).toMatchObject({
    webhookId: id,
    messageId: accepted.messageId,
  })
  answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()
  expect(await call(`/v1/webhooks/${id}:sendTest`, {})).toMatchObject({
    ...{ isAccepted: false, status: 302, failure: 'redirect' },
  })
  expect(received).toHaveLength(2)
  expect(JSON.stringify(await call(`/v1/webhooks/${id}`))).not.toContain(secret)
})

test('deactivates a webhook whose target answers 410, and says why', async () => {
  const added = tip.grow(1)
  const { id } = await create(sendersOf(added))
  answer = (_request, response) => response.writeHead(410).end()
  await commit(added)
  await until(async () =>
    expect(await call(`/v1/webhooks/${id}`)).toMatchObject({
      status: 'inactive',
      inactiveReason: 'the target answered 410 Gone',
    }),
  )
})

test.each([
  { encoding: 'text', verifies: 'validateWebhook' },
  { encoding: 'hex', verifies: 'validateSignature' },
] as const)(
  'signs with the secret as $encoding, so that $verifies of the official client accepts the message',
  async ({ encoding, verifies }) => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const added = tip.grow(2)
    const { id } = await create(sendersOf(added), { secretEncoding: encoding })
    await commit(added)
    await arrived(1)
    await call(`/v1/webhooks/${id}:sendTest`, {})
    for (const { body, headers } of received) {
      const isHex = validateSignature(secret, headers['x-signature'] ?? '', JSON.parse(body))
      const isText = await verify({ body, headers }).then(
        () => true,
        () => false,
      )
      expect({ validateSignature: isHex, validateWebhook: isText }).toEqual({
        ...{ validateSignature: false, validateWebhook: false },
        [verifies]: true,
      })
    }
    expect(received.length).toBeGreaterThan(1)
    await sdk.webhooks.deactivate({ id })
    vi.restoreAllMocks()
  },
)
