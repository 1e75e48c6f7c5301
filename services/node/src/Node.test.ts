import { Bytes, Id, NodeId } from '@firn/codec'
import { Peers } from '@firn/node-api'
import { call, envelopeExchanges, headersOf, post, send } from '@firn/node-api/testing'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Replica, type ReplicaOptions, startReplica } from './testing/replica.ts'

const L1_SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'

describe('recorded HTTP exchanges', () => {
  let replica: Replica
  beforeAll(async () => {
    replica = await startReplica({ configuration: { indexEnabled: true, trackSubnets: [L1_SUBNET] } })
  })
  afterAll(() => replica.close())

  /** The recorded exchanges, except for EVM endpoints, because these need an upstream. */
  const cases = envelopeExchanges().filter(
    ({ path, port }) => port === 9650 && !/^\/ext\/bc\/(?:2owd|vJHF)/.test(path),
  )

  test('loads more than 97 recorded exchanges', () => expect(cases.length).toBeGreaterThan(97))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    'returns the recorded response of exchange %i: %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      const answer = await send(replica.url, { path, method, headers, body })
      expect(answer.body).toBe(exchange.responseBody)
      expect(answer.status).toBe(exchange.status)
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})

describe('replica', () => {
  let replica: Replica
  beforeAll(async () => {
    replica = await startReplica({ configuration: { apiAdminEnabled: true, apiAdminAllowRemote: true } })
  })
  afterAll(() => replica.close())

  test('serves the Index API only if it is configured', async () => {
    expect((await post(replica.url, '/ext/index/P/block', '{}')).status).toBe(404)
  })

  test('applies a new alias immediately to addresses, paths and responses, including cached responses', async () => {
    const ask = () => call(replica.url, '/ext/info', 'info.getBlockchainID', { alias: 'mine' })
    await expect(ask()).rejects.toThrow('there is no ID with alias: mine')
    expect((await post(replica.url, '/ext/bc/mine', '{}')).status).toBe(404)
    await call(replica.url, '/ext/admin', 'admin.aliasChain', { chain: 'X', alias: 'mine' })
    expect(await ask()).toEqual({ blockchainID: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed' })
    expect(await call(replica.url, '/ext/bc/mine', 'avm.getHeight')).toEqual({ height: '35' })
    expect((await post(replica.url, '/ext/bc/mine/wallet', '{}')).status).toBe(200)
  })

  test('counts API calls, and compresses metrics for clients that accept gzip', async () => {
    await call(replica.url, '/ext/bc/X', 'avm.getHeight')
    const plain = await send(replica.url, { path: '/ext/metrics', method: 'GET' })
    expect(plain.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(plain.body).toMatch(/^avalanche_api_calls\{base="bc\/X"\} [1-9]/m)
    expect(plain.body).toMatch(/^firn_node_height\{chain="P"\} 85$/m)
    const response = await fetch(`${replica.url}/ext/metrics`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toContain('avalanche_api_calls')
  })

  test('returns an error for an issued transaction if no upstream is configured', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'avm.issueTx', params: { tx: '0x' } }
    expect((await post(replica.url, '/ext/bc/X', body)).body).toContain('error')
  })
})

test('rejects calls to a chain until it is bootstrapped', async () => {
  let isReady = false
  const replica = await startReplica({ isBootstrapped: (chain) => isReady || chain !== 'X' })
  const ask = () => post(replica.url, '/ext/bc/X', { jsonrpc: '2.0', id: 1, method: 'avm.getHeight' })
  expect(await ask()).toMatchObject({
    status: 503,
    body: 'API call rejected because chain is not done bootstrapping\n',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
  const state = () => call(replica.url, '/ext/info', 'info.isBootstrapped', { chain: 'X' })
  expect(await state()).toEqual({ isBootstrapped: false })
  isReady = true
  expect((await ask()).body).toContain('"height":"35"')
  expect(await state()).toEqual({ isBootstrapped: true })
  await replica.close()
})

test('is ready without the C-chain if the database does not follow it, and says why its methods fail', async () => {
  const store = await recordedStore('local', false)
  const replica = await startReplica({ store, isBootstrapped: (chain) => chain !== 'C' })
  const ask = {
    jsonrpc: '2.0',
    id: 1,
    method: 'avax.getAtomicTxStatus',
    params: { txID: Id.format(Id.EMPTY) },
  }
  const { error } = JSON.parse((await post(replica.url, '/ext/bc/C/avax', ask)).body)
  expect(error.data).toEqual({ reason: 'C_CHAIN_NOT_FOLLOWED' })
  const state = (chain: string) => call(replica.url, '/ext/info', 'info.isBootstrapped', { chain })
  expect([await state('X'), await state('C')]).toEqual([{ isBootstrapped: true }, { isBootstrapped: false }])
  await replica.node.health.refresh()
  const { checks } = replica.node.health.report('health')
  expect([checks?.get('C'), checks?.get('bootstrapped')?.error]).toEqual([undefined, undefined])
  const metrics = await (await fetch(`${replica.url}/ext/metrics`)).text()
  expect(metrics).toContain('firn_node_height{chain="X"}')
  expect(metrics).not.toContain('firn_node_height{chain="C"}')
  await replica.close()
})

test.each([
  [{ apiInfoEnabled: false }, '/ext/info'],
  [{ apiHealthEnabled: false }, '/ext/health'],
  [{ apiMetricsEnabled: false }, '/ext/metrics'],
  [{}, '/ext/admin'],
])('returns 404 for the API that the option %j disables', async (configuration, path) => {
  const replica = await startReplica({ configuration })
  expect((await post(replica.url, path, '{}')).status).toBe(404)
  await replica.close()
})

describe('uptime and connection state of validators', () => {
  const VALIDATORS = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']
  const known = async (options: ReplicaOptions) => {
    const replica = await startReplica(options)
    const { validators } = (await call(replica.url, '/ext/bc/P', 'platform.getCurrentValidators')) as {
      validators: { nodeID: string; uptime?: string; connected?: boolean; delegationFee: string }[]
    }
    await replica.close()
    return VALIDATORS.map((id) => {
      const entry = validators.find(({ nodeID: nodeId }) => nodeId === id) ?? {}
      return Object.entries(entry).filter(([name]) => name === 'uptime' || name === 'connected')
    })
  }

  test('omits uptime and connection state without an upstream or peers', async () => {
    expect(await known({})).toEqual([[], []])
  })

  test('returns the uptimes that the upstream reports if an upstream is configured', async () => {
    const validators = [{ nodeID: VALIDATORS[0], uptime: '12.3400', connected: true }]
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { validators } })
    const fetch = (async () => new Response(answer)) as unknown as typeof globalThis.fetch
    const configuration = { upstream: ['http://127.0.0.1:9650'] }
    expect(await known({ fetch, configuration })).toEqual([
      [
        ['uptime', '12.3400'],
        ['connected', true],
      ],
      [],
    ])
  })

  test('returns the uptimes that this process measured if it is connected to peers', async () => {
    const [nodeId] = VALIDATORS.map((text) => NodeId.parse(text))
    const peers = Peers.fixed({
      peers: [],
      uptime: (id) => (Bytes.equals(id, nodeId as Uint8Array) ? 0.5 : undefined),
    })
    expect(await known({ peers })).toEqual([
      [
        ['uptime', '50.0000'],
        ['connected', false],
      ],
      [['connected', false]],
    ])
  })
})
