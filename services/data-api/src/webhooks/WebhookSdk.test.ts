import type { Avalanche } from '@avalanche-sdk/chainkit'
import { Bech32 } from '@firn/codec'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, client } from '../testing/client.ts'
import { contextOf } from '../testing/serve.ts'
import { newKey, serveWebhooks, webhookContextOf } from '../testing/serveWebhooks.ts'

const ONE = '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC'
const TWO = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const TOPIC = `0x${'ab'.repeat(32)}`
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const SUBNET = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'

let sdk: Avalanche
let other: Avalanche
let url: string
let chainId: string
let bech32: string
let close: () => Promise<unknown>
let keys: readonly [string, string]
let serviceEncoding: 'text' | 'hex' = 'text'

beforeAll(async () => {
  const store = await recordedEvmStore('c', undefined, { name: 'C-Chain' })
  const primary = await contextOf(await recordedStore('local'), {})
  chainId = String(store.chainId)
  bech32 = Bech32.encode(primary.constants.hrp, new Uint8Array(20).fill(7))
  keys = [await newKey(store), await newKey(store)]
  const context = await webhookContextOf(store, primary)
  const served = await serveWebhooks({
    ...context,
    get secretEncoding() {
      return serviceEncoding
    },
  })
  url = served.url
  close = served.close
  sdk = client(url, keys[0])
  other = client(url, keys[1])
})
afterAll(() => close?.())

const create = (more: object = {}) =>
  sdk.webhooks.create({
    eventType: 'address_activity',
    url: 'https://example.com/events',
    name: 'Deposits',
    chainId,
    metadata: { addresses: [ONE], eventSignatures: [TOPIC] },
    includeLogs: true,
    ...more,
  })

describe('the official client', () => {
  test('creates, reads, changes, deactivates and lists webhooks of EVM chains', async () => {
    const created = await create()
    expect(created).toMatchObject({
      url: 'https://example.com/events',
      chainId,
      status: 'active',
      name: 'Deposits',
      description: '',
      eventType: 'address_activity',
      metadata: { addresses: [ONE], eventSignatures: [TOPIC] },
      includeInternalTxs: false,
      includeLogs: true,
    })
    const { id } = created
    expect(await sdk.webhooks.get({ id })).toEqual(created)
    const change = { name: 'Payments', url: 'https://example.com/other', includeLogs: false }
    const changed = await sdk.webhooks.update({ id, updateWebhookRequest: change })
    expect(changed).toEqual({ ...created, ...change })
    expect(await sdk.webhooks.deactivate({ id })).toEqual({ ...changed, status: 'inactive' })
    const active = await create()
    const listed = async (status?: 'active' | 'inactive') =>
      (await all(sdk.webhooks.list({ pageSize: 1, ...(status && { status }) })))
        .flatMap((page) => page.webhooks)
        .map((one) => one.id)
    expect(await listed()).toEqual([active.id, id])
    expect(await listed('active')).toEqual([active.id])
    expect(await listed('inactive')).toEqual([id])
    const again = await sdk.webhooks.update({ id, updateWebhookRequest: { status: 'active' } })
    expect(again.status).toBe('active')
  })

  test('lists, adds and removes addresses', async () => {
    const { id } = await create()
    const { addresses } = sdk.webhooks
    const change = { addresses: [TWO, ONE.toLowerCase()] }
    const added = await addresses.add({ id, addressesChangeRequest: change })
    expect(added.metadata.addresses.toSorted()).toEqual([ONE, TWO])
    const pages = await all(addresses.list({ id, pageSize: 1 }))
    expect(pages.map((page) => page.totalAddresses)).toEqual([2, 2])
    expect(pages.flatMap((page) => page.addresses)).toEqual([ONE, TWO])
    const removed = await addresses.remove({ id, addressesChangeRequest: { addresses: [ONE] } })
    expect(removed.metadata.addresses).toEqual([TWO])
  })

  test('creates webhooks for addresses of the Primary Network and for validators', async () => {
    const common = { url: 'https://example.com/', network: 'fuji' } as const
    const asked = {
      keyType: 'addresses',
      keys: [`P-${bech32}`],
      subEvents: { addressActivitySubEvents: ['balance_change', 'balance_threshold'] },
      balanceThresholdFilter: { balanceType: 'unlockedUnstaked', balanceThreshold: '1000' },
    } as const
    const created = await sdk.webhooks.create({
      ...common,
      eventType: 'primary_network_address_activity',
      chainId: 'p-chain',
      metadata: {
        ...asked,
        keys: [...asked.keys],
        subEvents: { addressActivitySubEvents: ['balance_change'] },
      },
    })
    expect(created).toMatchObject({
      eventType: 'primary_network_address_activity',
      chainId: 'p-chain',
      metadata: { ...asked, keys: [bech32], subEvents: { addressActivitySubEvents: ['balance_change'] } },
    })
    const metadata = {
      keyType: 'nodeId' as const,
      keys: [NODE],
      subEvents: { validatorActivitySubEvents: ['validator_stake' as const] },
      subnetIds: [SUBNET],
      l1ValidatorFeeBalanceThreshold: '5',
    }
    const validator = await sdk.webhooks.create({ ...common, eventType: 'validator_activity', metadata })
    expect(validator).toMatchObject({ eventType: 'validator_activity', metadata })
    expect(await sdk.webhooks.get({ id: validator.id })).toEqual(validator)
  })

  test('reads and rotates the secret, which exists from the first webhook on', async () => {
    await expect(other.webhooks.getSharedSecret()).rejects.toThrow('has no secret yet')
    await create()
    const first = await sdk.webhooks.getSharedSecret()
    expect(first.secret).toMatch(/^[0-9a-f]{64}$/)
    const second = await sdk.webhooks.generateOrRotateSharedSecret()
    expect(second.secret).not.toBe(first.secret)
    expect(await sdk.webhooks.getSharedSecret()).toEqual(second)
  })

  test('sees only the webhooks of its own key', async () => {
    const { id } = await create()
    await expect(other.webhooks.get({ id })).rejects.toThrow('no such webhook')
    await expect(other.webhooks.deactivate({ id })).rejects.toThrow('no such webhook')
    const update = { id, updateWebhookRequest: { name: 'mine' } }
    await expect(other.webhooks.update(update)).rejects.toThrow('no such webhook')
    const change = { id, addressesChangeRequest: { addresses: [TWO] } }
    await expect(other.webhooks.addresses.add(change)).rejects.toThrow('no such webhook')
    await expect(other.webhooks.addresses.list({ id })).rejects.toThrow('no such webhook')
    expect((await all(other.webhooks.list({}))).flatMap((page) => page.webhooks)).toEqual([])
    expect((await sdk.webhooks.get({ id })).name).toBe('Deposits')
  })
})

const OTHER_NODE = 'NodeID-BRujDCXkZ93Enf1BGQnbV6TS9qz5tMvcz'
const OTHER_SUBNET = '11111111111111111111111111111111LpoYY'

const rewardsOn = (chain: string) => ({
  eventType: 'primary_network_address_activity',
  chainId: chain,
  metadata: {
    ...{ keyType: 'addresses', keys: [bech32] },
    subEvents: { addressActivitySubEvents: ['balance_change', 'reward_distribution'] },
  },
})

/** A webhook whose key is not among those to which it is limited. */
const limited = (keyType: 'nodeId' | 'subnetId', key: string) => ({
  eventType: 'validator_activity',
  metadata: {
    ...{ keyType, keys: [key], nodeIds: [OTHER_NODE], subnetIds: [OTHER_SUBNET] },
    subEvents: { validatorActivitySubEvents: ['validator_stake'] },
  },
})

describe('createWebhook', () => {
  test.each([
    ['url', { url: 'https://127.1.0.0.1/' }],
    ['url', { url: 'http://8.8.8.8/' }],
    ['url', { url: 'https://169.254.169.254/latest' }],
    ['url', { url: 'https://user:pass@example.com/' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: undefined }],
    ['url', { stream: true }],
    ['name', { name: 'x'.repeat(129) }],
    ['name', { name: '\0' }],
    ['chainId', { chainId: '1' }],
    ['chainId', { chainId: 7 }],
    ['metadata.addresses', { metadata: { addresses: [] } }],
    ['metadata.addresses', { metadata: { addresses: ['0x12'] } }],
    ['metadata.addresses', { metadata: { addresses: Array(10_001).fill(ONE) } }],
    ['metadata.eventSignatures', { metadata: { addresses: [ONE], eventSignatures: ['Transfer'] } }],
    ['metadata', { metadata: [] }],
    ['eventType', { eventType: 'everything' }],
    ['includeLogs', { includeLogs: 'yes' }],
    ['finality', { finality: 'soon' }],
    ['secretEncoding', { secretEncoding: 'base64' }],
  ])('names the invalid member %s', async (name, more) => {
    const body = {
      eventType: 'address_activity',
      url: 'https://example.com/',
      chainId,
      metadata: { addresses: [ONE] },
      ...more,
    }
    const response = await fetch(`${url}/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-data-api-key': keys[0], 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([400, 404]).toContain(response.status)
    expect(((await response.json()) as { message: string }).message).toMatch(new RegExp(`^${name}\\b`))
  })

  test.each([
    ['rewards of addresses on the X-chain', 'metadata.subEvents', () => rewardsOn('x-chain')],
    ['rewards of addresses on the C-chain', 'metadata.subEvents', () => rewardsOn('c-chain')],
    ['other nodes than the one of the key', 'metadata.nodeIds', () => limited('nodeId', NODE)],
    ['other subnets than the one of the key', 'metadata.subnetIds', () => limited('subnetId', SUBNET)],
  ])('refuses what never happens: %s', async (_, name, body) => {
    const response = await fetch(`${url}/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-data-api-key': keys[0], 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/', network: 'fuji', ...body() }),
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toContain(name)
  })

  test('takes the encoding of the secret from the body, and otherwise from the service', async () => {
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'x-data-api-key': keys[0], 'content-type': 'application/json' }
      const response = await fetch(`${url}/v1/webhooks${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      })
      return (await response.json()) as { readonly id: string; readonly secretEncoding: string }
    }
    const common = { eventType: 'address_activity', url: 'https://example.com/', chainId }
    const body = { ...common, metadata: { addresses: [ONE] } }
    serviceEncoding = 'hex'
    const byDefault = await send('POST', '', body)
    expect(byDefault.secretEncoding).toBe('hex')
    expect((await send('POST', '', { ...body, secretEncoding: 'text' })).secretEncoding).toBe('text')
    const path = `/${byDefault.id}`
    expect((await send('PATCH', path, { name: 'Name' })).secretEncoding).toBe('hex')
    expect((await send('PATCH', path, { secretEncoding: 'text' })).secretEncoding).toBe('text')
    expect((await send('PATCH', path, { secretEncoding: 'no' })).secretEncoding).toBeUndefined()
    serviceEncoding = 'text'
    expect((await send('POST', '', body)).secretEncoding).toBe('text')
  })

  test('rejects callers without a key', async () => {
    const response = await fetch(`${url}/v1/webhooks`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('firn keys create') })
  })
})
