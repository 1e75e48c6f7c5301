import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Bech32 } from '@firn/codec'
import { until } from '@firn/runtime/testing'
import { type Store, Writer } from '@firn/store'
import { openStore, Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataApi, type DataApiService } from '../../service/Service.ts'
import { client } from '../../testing/client.ts'
import { newKey } from '../../testing/serveWebhooks.ts'

const { genesis, constants, chains } = Recordings.load('local')
const NODE = 'NodeID-BRujDCXkZ93Enf1BGQnbV6TS9qz5tMvcz'
const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

const received: { readonly body: string; readonly headers: Record<string, string> }[] = []
const target = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    received.push({ body: Buffer.concat(chunks).toString(), headers })
    response.end()
  })
})
let store: Store
let service: DataApiService
let key: string
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`
  store = await openStore()
})
afterAll(async () => {
  target.closeAllConnections()
  target.close()
  await service?.close()
  await store?.close()
})

async function create(body: object): Promise<{ readonly id: string }> {
  const response = await fetch(`${service.url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-data-api-key': key },
    body: JSON.stringify({ url, network: 'local', ...body }),
  })
  expect(response.status).toBe(201)
  return response.json() as Promise<{ id: string }>
}

test('sends signed messages about addresses and validators while the chains grow', async () => {
  const { writer, state } = await Writer.open(store, genesis, constants, undefined, { followsCChain: true })
  const blocks = [...Recordings.follow(state, chains)]
  const half = Math.floor(blocks.length / 2)
  await writer.commit(blocks.slice(0, half))
  const { P } = await store.snapshot()
  service = await createDataApi({
    ...{ store, host: '127.0.0.1', port: 0, limits: undefined },
    ...{ aggregateStatus: 200, timeoutMs: 600_000, version: '0' },
    webhooks: { isDelivering: true, networks: ['127.0.0.1'], timeoutMs: 600_000, secretEncoding: 'hex' },
  })
  key = await newKey(store)
  const sdk = client(service.url, key)
  const { secret } = await sdk.webhooks.generateOrRotateSharedSecret()
  expect(Bech32.decode(ADDRESS).hrp).toBe(constants.hrp)
  const ofAddress = await create({
    eventType: 'primary_network_address_activity',
    chainId: 'p-chain',
    metadata: {
      ...{ keyType: 'addresses', keys: [ADDRESS] },
      subEvents: { addressActivitySubEvents: ['balance_change'] },
    },
  })
  const ofNode = await create({
    eventType: 'validator_activity',
    metadata: {
      ...{ keyType: 'nodeId', keys: [NODE] },
      subEvents: { validatorActivitySubEvents: ['l1_validator_disabled', 'l1_validator_balance_increased'] },
    },
  })
  for (const id of [ofAddress.id, ofNode.id]) {
    const tested = await fetch(`${service.url}/v1/webhooks/${id}:sendTest`, {
      method: 'POST',
      headers: { 'x-data-api-key': key },
    })
    expect(await tested.json()).toMatchObject({ isAccepted: true, status: 200 })
  }
  received.length = 0
  await writer.commit(blocks.slice(half))
  const messages = () => received.map(({ body }) => JSON.parse(body))
  const of = (id: string) => messages().filter(({ webhookId }) => webhookId === id)
  await until(() => {
    expect(of(ofNode.id).map(({ event }) => event.eventType)).toEqual([
      'l1_validator_disabled',
      'l1_validator_balance_increased',
    ])
    expect(of(ofAddress.id).at(-1)?.event.blockNumber).toBe('85')
  })
  const heights = of(ofAddress.id).map(({ event }) => BigInt(event.blockNumber))
  expect(heights).toEqual(heights.toSorted((one, other) => Number(one - other)))
  expect(heights.every((height) => height > P.height)).toBe(true)
  expect(of(ofAddress.id)[0]).toMatchObject({ eventType: 'primary_network_address_activity' })
  for (const { body, headers } of received) {
    const expected = Buffer.from(
      await crypto.subtle.sign(
        'HMAC',
        await crypto.subtle.importKey(
          'raw',
          Buffer.from(secret, 'hex'),
          { name: 'HMAC', hash: 'SHA-256' },
          false,
          ['sign'],
        ),
        Buffer.from(body),
      ),
    ).toString('base64')
    expect(headers['x-signature']).toBe(expected)
  }
})

test.each([
  [
    'a balance of another chain',
    'x-chain',
    { balanceType: 'lockedStaked', balanceThreshold: '1' },
    'unlocked',
  ],
  ['a threshold without an amount', 'p-chain', undefined, 'balanceThresholdFilter'],
])('refuses %s', async (_, chainId, balanceThresholdFilter, message) => {
  const response = await fetch(`${service.url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-data-api-key': key },
    body: JSON.stringify({
      ...{ url, network: 'local', chainId, eventType: 'primary_network_address_activity' },
      metadata: {
        ...{ keyType: 'addresses', keys: [ADDRESS], balanceThresholdFilter },
        subEvents: { addressActivitySubEvents: ['balance_threshold'] },
      },
    }),
  })
  expect(response.status).toBe(400)
  expect(JSON.stringify(await response.json())).toContain(message)
})
