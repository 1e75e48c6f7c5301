import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Id } from '@firn/codec'
import { Transactions } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createDataApi } from '../service/Service.ts'
import { client } from '../testing/client.ts'
import type { AggregateStatus } from './AggregateStatus.ts'

const ROUTE = '/v1/signatureAggregator/local/aggregateSignatures'
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Sends the next answer of the fake signature aggregator. */
let next: (response: ServerResponse) => void
const asked: {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}[] = []
beforeEach(() => {
  asked.length = 0
  next = (response) => response.end('{"signedMessage":"abcd"}')
})

const upstream = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  asked.push({ url: request.url, headers: request.headers, body })
  next(response)
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
closers.push(() => {
  upstream.closeAllConnections()
  upstream.close()
})
const aggregatorUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

async function serve(
  aggregateStatus: AggregateStatus = 200,
  more: { aggregatorUrl?: string | undefined } = { aggregatorUrl },
) {
  const allowance = { unitsPerMinute: 100_000, unitsPerDay: 1_000_000 }
  const service = await createDataApi({
    store: await recordedStore('local'),
    host: '127.0.0.1',
    port: 0,
    alias: 'fuji',
    limits: { anonymous: allowance, keyed: allowance },
    aggregateStatus,
    timeoutMs: 600_000,
    version: '0',
    ...more,
  })
  closers.push(() => service.close())
  return service.url
}

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

describe('POST aggregateSignatures', () => {
  test('forwards the body and the flags, but no header of the caller’s request', async () => {
    const url = (await serve()) + ROUTE
    const body = '{"message":"0x00","quorumPercentage":67,"pChainHeight":9007199254740993}'
    const headers = {
      'x-forwarded-for': '1.2.3.4',
      'x-real-ip': '1.2.3.4',
      cookie: 'a=b',
      authorization: 'Bearer x',
    }
    const response = await post(`${url}?report=true&proof`, body, headers)
    expect([response.status, await response.json()]).toEqual([200, { signedMessage: 'abcd' }])
    expect(response.headers.get('ratelimit-remaining')).toBe(String(100_000 - 20))
    expect(asked).toMatchObject([{ url: `${ROUTE}?report=true&proof=true`, body }])
    for (const name of Object.keys(headers)) expect(asked[0]?.headers).not.toHaveProperty(name)
  })

  test.each([
    [200, 'curl/8', 200],
    [201, 'curl/8', 201],
    ['auto', 'curl/8', 200],
    ['auto', 'speakeasy-sdk/typescript 0.3.13', 201],
  ] as const)(
    'resolves the configured status %s for the user agent %s to %i',
    async (status, userAgent, expected) => {
      const url = (await serve(status)) + ROUTE
      expect((await post(url, '{"message":"00"}', { 'user-agent': userAgent })).status).toBe(expected)
    },
  )

  test('accepts a body of any content type, as the signature aggregator does', async () => {
    const url = (await serve()) + ROUTE
    for (const type of ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded']) {
      const response = await post(url, '{"message":"00"}', { 'content-type': type })
      expect([type, response.status]).toEqual([type, 200])
    }
  })

  test.each([
    [400, 'Bad Request'],
    [403, 'Forbidden'],
    [413, 'Payload Too Large'],
    [429, 'Too Many Requests'],
    [500, 'Internal Server Error'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
  ])('forwards a %i error with its reason, report and retry delay', async (statusCode, error) => {
    const url = (await serve()) + ROUTE
    next = (response) => {
      response.writeHead(statusCode, { 'retry-after': '7' })
      response.end(
        JSON.stringify({ message: 'a reason', error: 'x', statusCode, report: { totalWeight: '5' } }),
      )
    }
    const response = await post(`${url}?report=true`, '{"message":"00"}')
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      statusCode,
      '7',
      { message: 'a reason', error, statusCode, report: { totalWeight: '5' } },
    ])
  })

  test.each([
    ['closes the connection', (response: ServerResponse) => void response.destroy(), 503],
    ['returns invalid JSON', (response: ServerResponse) => void response.end('<html>'), 503],
    ['requires an API key', (response: ServerResponse) => void response.writeHead(401).end('{}'), 503],
  ])('returns 503 with retry-after if the aggregator %s', async (_name, answer, status) => {
    const url = (await serve()) + ROUTE
    next = answer
    const response = await post(url, '{"message":"00"}')
    expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([
      status,
      expect.any(Number),
    ])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      statusCode: status,
      message: expect.stringContaining('aggregator'),
    })
  })

  test('returns 503 if no aggregator listens or none is configured', async () => {
    for (const url of [await serve(200, { aggregatorUrl: 'http://127.0.0.1:9' }), await serve(200, {})]) {
      const response = await post(url + ROUTE, '{"message":"00"}')
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test.each([
    ['a body that is not JSON', '{', '', 400, /^body: expected JSON/],
    ['a body that is too large', `"${'0'.repeat(1_100_000)}"`, '', 413, /^body: /],
    ['an invalid flag', '{}', '?report=yes', 400, /^report: expected true or false, got "yes"/],
  ])(
    'rejects %s without sending a request to the aggregator',
    async (_name, body, query, status, message) => {
      const response = await post((await serve()) + ROUTE + query, body)
      expect([response.status, await response.json()]).toMatchObject([
        status,
        { message: expect.stringMatching(message) },
      ])
      expect(asked).toEqual([])
    },
  )

  test('returns the signed message to the official client', async () => {
    const sdk = client(await serve('auto'))
    const signatureAggregatorRequest = { message: '0x00', pChainHeight: 5 }
    expect(await sdk.data.signatureAggregator.aggregate({ signatureAggregatorRequest })).toEqual({
      signedMessage: 'abcd',
    })
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject(signatureAggregatorRequest)
  })
})

describe('GET aggregateSignatures', () => {
  const SDK = { 'user-agent': 'speakeasy-sdk/typescript 0.3.13' }
  /** Returns the path of the signed message of a recorded conversion. */
  async function conversion(): Promise<string> {
    const store = await recordedStore('local')
    const [found] = await Transactions.page(store, await store.snapshot(), 'P', {
      addresses: undefined,
      names: ['ConvertSubnetToL1Tx'],
      from: undefined,
      until: undefined,
      isStaking: false,
      after: undefined,
      order: 'asc',
      limit: 1,
    })
    return `${ROUTE}/${Id.format(found?.id ?? Id.EMPTY)}`
  }

  test('lets caches keep an answer for each user agent if the status depends on it', async () => {
    for (const [status, vary] of [
      ['auto', 'accept-encoding, user-agent'],
      [200, 'accept-encoding'],
    ] as const) {
      const response = await fetch((await serve(status)) + (await conversion()))
      expect([response.status, response.headers.get('vary')]).toEqual([200, vary])
    }
  })

  test('does not answer 304 to the official client, which would reuse the status 200', async () => {
    const url = (await serve('auto')) + (await conversion())
    const known = await fetch(url)
    const tag = { 'if-none-match': String(known.headers.get('etag')) }
    const again = await fetch(url, { headers: tag })
    const official = await fetch(url, { headers: { ...tag, ...SDK } })
    expect([known.status, again.status, official.status]).toEqual([200, 304, 201])
    expect(await official.json()).toEqual(await known.json())
  })
})
