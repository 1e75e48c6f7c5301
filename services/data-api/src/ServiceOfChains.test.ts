import { randomBytes } from 'node:crypto'
import { Hex } from '@firn/codec'
import { BlockReader } from '@firn/evm'
import { inventedChain, recordedChain } from '@firn/evm/testing'
import { EvmWriter } from '@firn/evm-store'
import { openEvm, recordedEvmStore, TEST_CHAIN } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from './operate/KeyRing.ts'
import { createDataApi, type DataApiService } from './service/Service.ts'

const NOTHING = {
  host: '127.0.0.1',
  port: 0,
  limits: undefined,
  aggregateStatus: 200,
  timeoutMs: 600_000,
  version: '0',
} as const
const OPTIONS = { ...NOTHING, chains: [{ store: await recordedEvmStore('l1'), nodes: [] }] }

let service: DataApiService

beforeAll(async () => {
  service = await createDataApi(OPTIONS)
})
afterAll(() => service?.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.url + path, { headers })

async function chainId(): Promise<bigint> {
  return (await recordedEvmStore('l1')).chainId
}

test("serves EVM chains without a network: answers health checks and lists blocks, and returns 404 for the network's routes", async () => {
  const id = String(await chainId())
  const last = recordedChain('l1').at(-1)
  const height = String(Number(last?.block.number))
  expect(await (await get('/health')).json()).toMatchObject({ status: 'up', chains: { [id]: { height } } })
  const { blocks } = (await (await get(`/v1/chains/${id}/blocks?pageSize=1`)).json()) as { blocks: object[] }
  expect(blocks).toMatchObject([{ blockNumber: height, blockHash: last?.block.hash }])
  expect((await get('/v1/networks/mainnet/subnets')).status).toBe(404)
})

test('reports the range of indexed blocks and the digest of the newest one', async () => {
  const store = await recordedEvmStore('l1')
  const [first, last] = [recordedChain('l1')[0]?.block, recordedChain('l1').at(-1)?.block]
  const { chain_digest } = await database(store)
    .selectFrom('block')
    .select('chain_digest')
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(await (await get(`/v1/completeness/${store.chainId}`)).json()).toEqual({
    chainId: String(store.chainId),
    hasTraces: true,
    logsFromBlock: '0',
    messagesFromBlock: '0',
    messagesToBlock: String(Number(last?.number)),
    ranges: [
      {
        firstBlockNumber: '0',
        firstBlockHash: first?.hash,
        firstBlockTimestamp: Number(first?.['timestamp']),
        lastBlockNumber: String(Number(last?.number)),
        lastBlockHash: last?.hash,
        digest: Hex.encode(chain_digest),
      },
    ],
  })
  expect((await get('/v1/completeness/4')).status).toBe(404)
})

/** Returns the ids of the first `count` events of the feed. */
async function events(path: string, count: number, headers?: Readonly<Record<string, string>>) {
  const response = await get(path, headers)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.split('\n\n').length > count + 2) break
  }
  return [...text.matchAll(/^id: (\d+)$/gm)].slice(0, count).map(([, id]) => Number(id))
}

test('sends changes as server-sent events, from the beginning or after the given event', async () => {
  const path = `/v1/changes/${await chainId()}`
  expect(await events(`${path}?cursor=0`, 3)).toEqual([1, 2, 3])
  expect(await events(path, 2, { 'last-event-id': '7' })).toEqual([8, 9])
  expect(await events(`${path}?cursor=2`, 1, { 'last-event-id': '7' })).toEqual([3])
  for (const bad of ['?cursor=-1', '?cursor=x', '?cursor=1&cursor=2']) {
    expect([bad, (await get(path + bad)).status]).toEqual([bad, 400])
  }
  expect((await get(path, { 'last-event-id': 'x' })).status).toBe(400)
  const later = await get(path, { 'last-event-id': '999999' })
  expect([later.status, later.headers.get('retry-after')]).toEqual([503, '1'])
  const { message } = (await later.json()) as { message: string }
  expect(message).toMatch(/^cursor: needs change 999999, but this replica has only reached change \d+;/)
  expect((await get('/v1/changes/4')).status).toBe(404)
})

test('stores API keys in the database of the first chain', async () => {
  const settings = { name: 'a test', scopes: ['metrics'], unitsPerMinute: 5, unitsPerDay: 5 } as const
  const key = await createKey(await recordedEvmStore('l1'), settings, randomBytes, 1_795_000_000)
  const path = `/v1/chains/${await chainId()}/blocks`
  const status = async () => (await get(path, { 'x-data-api-key': key })).status
  // The key has only the metrics scope.
  await expect.poll(status).toBe(403)
  expect((await get(path, { 'x-data-api-key': `${key}0` })).status).toBe(401)
})

test('serves the Metrics API on a separate listener with its own prefix if configured', async () => {
  const both = await createDataApi({ ...OPTIONS, metrics: { port: 0, prefix: '/m' } })
  const id = await chainId()
  const statuses = async (path: string) => {
    const urls = [both.url + path, both.metricsUrl + path]
    return Promise.all(urls.map(async (url) => (await fetch(url)).status))
  }
  try {
    expect(both.metricsUrl).toMatch(/\/m$/)
    expect(await statuses(`/v2/chains/${id}/metrics/txCount`)).toEqual([404, 200])
    expect(await statuses(`/v1/chains/${id}/blocks`)).toEqual([200, 404])
    expect(await statuses('/v1/health-check')).toEqual([200, 404])
    expect(await statuses('/v2/health-check')).toEqual([404, 200])
    expect(await statuses('/openapi.json')).toEqual([200, 200])
  } finally {
    await both.close()
  }
  expect(service.metricsUrl).toBe(service.url)
})

test('rejects a configuration without a network and without chains', async () => {
  await expect(createDataApi(NOTHING)).rejects.toMatchObject({ code: 'DATA_CONFIGURATION' })
})

test('returns 503 with the reason for a halted chain, and still serves other chains', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  const blocks = inventedChain({ seed: 4 })
    .grow(4)
    .map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))
  await writer.commit(blocks)
  const both = await createDataApi({ ...OPTIONS, chains: [...OPTIONS.chains, { store, nodes: [] }] })
  const ask = async (path: string) => {
    const answer = await fetch(both.url + path)
    return [answer.status, await answer.text()] as const
  }
  const feed = await fetch(`${both.url}/v1/changes/1337?cursor=0`)
  const reading = feed.text().then(
    () => 'ended',
    () => 'broken',
  )
  try {
    await writer.halt('the chain was reset; run firn evm --reset 1337')
    for (const path of [
      '/v1/chains/1337/blocks',
      '/v1/chains/1337/blocks/2',
      '/v1/chains/1337',
      '/v1/completeness/1337',
      '/v1/changes/1337',
      '/v2/chains/1337/metrics/txCount',
      '/v2/chains/1337/rollingWindowMetrics/txCount',
      '/v1/health-check',
      '/health',
    ]) {
      expect([path, ...(await ask(path))]).toEqual([
        path,
        503,
        expect.stringContaining('firn evm --reset 1337'),
      ])
    }
    expect(['ended', 'broken']).toContain(await reading)
    const l1 = await chainId()
    for (const path of [`/v1/chains/${l1}/blocks`, '/v1/blocks', '/v1/transactions', '/v1/chains']) {
      expect([path, (await ask(path))[0]]).toEqual([path, 200])
    }
    expect((await ask('/v1/blocks?pageSize=100'))[1]).not.toContain('"chainId":"1337"')
    await writer.resume()
    expect((await ask('/v1/chains/1337/blocks'))[0]).toBe(200)
  } finally {
    await both.close()
    await store.close()
  }
})

test('returns 503 with the reason while a chain is filled without indexes, and still serves other chains', async () => {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN, { defersIndexes: true })
  const blocks = inventedChain({ seed: 4 })
    .grow(4)
    .map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))
  await writer.commit(blocks)
  const both = await createDataApi({ ...OPTIONS, chains: [...OPTIONS.chains, { store, nodes: [] }] })
  const ask = async (path: string) => {
    const answer = await fetch(both.url + path)
    return [answer.status, await answer.text()] as const
  }
  try {
    for (const path of ['/v1/chains/1337/blocks', '/v1/chains/1337/logs', '/v1/chains/1337', '/health']) {
      expect([path, ...(await ask(path))]).toEqual([
        path,
        503,
        expect.stringContaining('is being filled without the indexes that requests need'),
      ])
    }
    expect((await ask('/v1/blocks'))[0]).toBe(200)
    expect((await ask('/v1/blocks?pageSize=100'))[1]).not.toContain('"chainId":"1337"')
    await writer.buildIndexes()
    expect((await ask('/v1/chains/1337/blocks'))[0]).toBe(200)
    expect((await ask('/v1/blocks?pageSize=100'))[1]).toContain('"chainId":"1337"')
  } finally {
    await both.close()
    await store.close()
  }
})
