import { describe, expect, test, vi } from 'vitest'
import { type ClientOptions, createClient, isClientError } from './index.ts'

const URL_ = 'https://data.example'
const ADDRESS = `0x${'12'.repeat(20)}`

/** Creates a client of a service that gives the responses in order. `sent` has the requests, `waits` the waits. */
function serve(
  responses: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const waits: number[] = []
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) }
  const fetch = async (url: string, init: RequestInit) => {
    const respond = responses[sent.length]
    sent.push({ url, init })
    if (respond === undefined) throw new TypeError('connection refused')
    return respond()
  }
  const client = createClient({ url: `${URL_}/`, fetch, clock, random: () => 0, ...options })
  return { client, sent, waits }
}

const answer =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    new Response(JSON.stringify(body), init)

async function collect<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}

async function codeOf(promise: Promise<unknown>) {
  const error = await promise.catch((caught: unknown) => caught)
  return isClientError(error) ? [error.code, error.status, error.retryAfterSeconds] : error
}

describe('requests', () => {
  test('puts parameters into the path, the query and the body', async () => {
    const { client, sent } = serve([answer({}), answer({}), answer({})], { apiKey: 'secret' })
    await client.primaryNetwork.getUtxosByAddressesV2({
      network: 'fuji',
      blockchainId: 'p-chain',
      addresses: ['P-fuji1a', 'P-fuji1b'],
      pageSize: 7,
    })
    await client.primaryNetwork.listValidators({ network: 'fu/ji', nodeIds: ['NodeID-a', 'NodeID-b'] })
    await client.evm.reindexNft({ chainId: '1', address: ADDRESS, tokenId: '2' })
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      [
        'POST',
        `${URL_}/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=7`,
        '{"addresses":["P-fuji1a","P-fuji1b"]}',
      ],
      ['GET', `${URL_}/v1/networks/fu%2Fji/validators?nodeIds=NodeID-a%2CNodeID-b`, undefined],
      ['POST', `${URL_}/v1/chains/1/nfts/collections/${ADDRESS}/tokens/2:reindex`, undefined],
    ])
    expect(sent[0]?.init.headers).toEqual({ 'x-data-api-key': 'secret', 'content-type': 'application/json' })
  })

  test('sends metrics to their own URL', async () => {
    const { client, sent } = serve([answer({}), answer({})], { metricsUrl: 'https://metrics.example/api' })
    await client.metrics.listChains()
    await client.health.dataHealthCheck()
    expect(sent.map(({ url }) => url)).toEqual([
      'https://metrics.example/api/v2/chains',
      `${URL_}/v1/health-check`,
    ])
  })

  test('rejects a URL without http', () => {
    expect(() => createClient({ url: 'data.example' })).toThrow('expected an http or https URL')
  })
})

describe('pages', () => {
  const pages = [
    answer({ blocks: [{ blockNumber: '3' }, { blockNumber: '2' }], nextPageToken: 'next' }),
    answer({ blocks: [{ blockNumber: '1' }] }),
  ]

  test('returns the items of all pages, and requests a page when it is needed', async () => {
    const { client, sent } = serve(pages)
    const numbers: string[] = []
    const requests: number[] = []
    for await (const { blockNumber } of client.evm.getLatestBlocks.items({ chainId: '1', pageSize: 2 })) {
      numbers.push(blockNumber)
      requests.push(sent.length)
    }
    expect([numbers, requests]).toEqual([
      ['3', '2', '1'],
      [1, 1, 2],
    ])
    expect(sent[1]?.url).toBe(`${URL_}/v1/chains/1/blocks?pageSize=2&pageToken=next`)
  })

  const block = { blockNumber: '1' }

  test.each([null, '', undefined, 7, false])('ends after a page with the token %j', async (nextPageToken) => {
    const { client, sent } = serve([answer({ blocks: [block], nextPageToken })])
    expect(await collect(client.evm.getLatestBlocks.items({ chainId: '1' }))).toEqual([block])
    expect(sent.length).toBe(1)
  })

  test.each([
    { start: undefined, tokens: ['a', 'a', 'a'], requests: 2 },
    { start: undefined, tokens: ['a', 'b', 'c', 'a', 'b'], requests: 4 },
    { start: 'a', tokens: ['a', 'a'], requests: 1 },
  ])('ends when the service repeats a token of $tokens', async ({ start, tokens, requests }) => {
    const { client, sent } = serve(tokens.map((nextPageToken) => answer({ blocks: [block], nextPageToken })))
    const list = client.evm.getLatestBlocks.pages({ chainId: '1', pageToken: start })
    expect(await collect(list)).toHaveLength(requests)
    expect(sent.length).toBe(requests)
  })

  test('takes null for an empty list', async () => {
    const { client } = serve([answer({ blocks: null, nextPageToken: 'next' }), answer({ blocks: [block] })])
    expect(await collect(client.evm.getLatestBlocks.items({ chainId: '1' }))).toEqual([block])
  })

  test('throws the reason of an abort before the next item and before the next page', async () => {
    const abort = new AbortController()
    const { client, sent } = serve(pages)
    const items = client.evm.getLatestBlocks.items({ chainId: '1' }, { signal: abort.signal })
    const reading = items[Symbol.asyncIterator]()
    await reading.next()
    abort.abort(new RangeError('no longer needed'))
    await expect(reading.next()).rejects.toThrow('no longer needed')
    expect(await reading.next()).toEqual({ done: true, value: undefined })
    const list = client.evm.getLatestBlocks.pages({ chainId: '1' }, { signal: abort.signal })
    await expect(collect(list)).rejects.toThrow('no longer needed')
    expect(sent.length).toBe(1)
  })

  test('returns one page from a call', async () => {
    const { client } = serve(pages)
    expect((await client.evm.getLatestBlocks({ chainId: '1' })).nextPageToken).toBe('next')
  })
})

describe('errors', () => {
  test('has the code, the status and the body of an error response', async () => {
    const { client } = serve([answer({ message: 'no such block' }, { status: 404 })])
    const error = await client.evm.getBlock({ chainId: '1', blockId: '9' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'CLIENT_NOT_FOUND',
      status: 404,
      message: 'no such block',
      body: { message: 'no such block' },
    })
  })

  test('repeats a request after the seconds that the service asks for', async () => {
    const busy = answer({}, { status: 429, headers: { 'retry-after': '7' } })
    const { client, waits } = serve([busy, answer({}, { status: 503 }), answer({ chains: [] })])
    expect(await client.evm.supportedChains()).toEqual({ chains: [] })
    expect(waits).toEqual([7_000, 250])
  })

  test('gives up after the last retry, and at once if the wait would be too long', async () => {
    const busy = (seconds: string) => answer({}, { status: 429, headers: { 'retry-after': seconds } })
    const often = serve([busy('1'), busy('1'), busy('1')], { retries: 1 })
    expect(await codeOf(often.client.evm.supportedChains())).toEqual(['CLIENT_RATE_LIMIT', 429, 1])
    expect(often.sent.length).toBe(2)
    const long = serve([busy('3600')])
    expect(await codeOf(long.client.evm.supportedChains())).toEqual(['CLIENT_RATE_LIMIT', 429, 3_600])
    expect([long.sent.length, long.waits]).toEqual([1, []])
  })

  test('does not repeat a request that the service rejects', async () => {
    const { client, sent } = serve([answer({}, { status: 400 }), answer({})])
    expect(await codeOf(client.evm.supportedChains())).toEqual(['CLIENT_BAD_REQUEST', 400, undefined])
    expect(sent.length).toBe(1)
  })

  test('names a service without connection, and a response that is not JSON', async () => {
    const { client } = serve([], { retries: 0 })
    expect(await codeOf(client.evm.supportedChains())).toEqual(['CLIENT_CONNECTION', undefined, undefined])
    const other = serve([() => new Response('<html>')])
    expect(await codeOf(other.client.evm.supportedChains())).toEqual(['CLIENT_RESPONSE', 200, undefined])
  })

  test.each(['9007199254740993', '-9007199254740993', '18446744073709551615', `1${'0'.repeat(400)}`])(
    'rejects the number %s instead of rounding it',
    async (number) => {
      const { client } = serve([() => new Response(`{"text":"\\"7","value": ${number}}`)])
      expect(await codeOf(client.evm.supportedChains())).toEqual(['CLIENT_RESPONSE', undefined, undefined])
    },
  )

  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    // Services written in JavaScript round to the fewest digits, others send powers of two in full.
    ['12345678901234568', 12_345_678_901_234_568],
    ['1152921504606846976', 2 ** 60],
    ['0.12345678901234567890', 0.123_456_789_012_345_68],
    ['"9007199254740993"', '9007199254740993'],
    ['"a \\"9007199254740993"', 'a "9007199254740993'],
  ])('returns %s', async (text, value) => {
    const { client } = serve([() => new Response(`{"value":[${text}]}`)])
    expect(await client.evm.supportedChains()).toEqual({ value: [value] })
  })

  test.each(['x', '\\"', '\\\\'])('finds a large number after a string of six million %j', async (part) => {
    const { client } = serve([() => new Response(`["${part.repeat(6_000_000)}",9007199254740993]`)])
    expect(await codeOf(client.evm.supportedChains())).toEqual(['CLIENT_RESPONSE', undefined, undefined])
  })

  test('keeps the text of an error response with a large number', async () => {
    const text = '{"message":"no","id":9007199254740993}'
    const { client } = serve([() => new Response(text, { status: 400 })])
    await expect(client.evm.supportedChains()).rejects.toMatchObject({
      code: 'CLIENT_BAD_REQUEST',
      body: text,
    })
  })

  test('limits the time of a request, but not of an event stream', async () => {
    const late = () => Promise.reject(new DOMException('the time is over', 'TimeoutError'))
    const { client, sent } = serve([late, () => new Response('')], { timeoutMs: 50 })
    expect(await codeOf(client.evm.supportedChains())).toEqual(['CLIENT_TIMEOUT', undefined, undefined])
    for await (const _ of client.evm.listChanges({ chainId: '1' })) throw new Error('no event was sent')
    expect(sent.map(({ init }) => init.signal === undefined)).toEqual([false, true])
  })

  test('aborts the wait before a retry', async () => {
    const abort = new AbortController()
    const busy = answer({}, { status: 503, headers: { 'retry-after': '5' } })
    const clock = {
      now: () => 0,
      sleep: async (_ms: number, signal?: AbortSignal) => {
        abort.abort(new RangeError('no longer needed'))
        signal?.throwIfAborted()
      },
    }
    const { client, sent } = serve([busy, answer({})], { clock })
    await expect(client.evm.supportedChains({}, { signal: abort.signal })).rejects.toThrow('no longer needed')
    expect(sent.length).toBe(1)
  })

  test('aborts a request with the signal of the call, and leaves no listener on the signal', async () => {
    const combine = vi.spyOn(AbortSignal, 'any')
    const { signal } = new AbortController()
    const { client, sent } = serve([answer({ chains: [] })], { timeoutMs: 5_000 })
    await client.evm.supportedChains({}, { signal })
    expect(sent.length).toBe(1)
    expect(combine.mock.calls.flatMap(([signals]) => [...signals])).not.toContain(signal)
    combine.mockRestore()

    const abort = new AbortController()
    const hanging = serve([() => new Promise(() => undefined)], {
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          abort.abort(new RangeError('no longer needed'))
        }),
    })
    const call = hanging.client.evm.supportedChains({}, { signal: abort.signal })
    await expect(call).rejects.toThrow('no longer needed')
  })

  test('rejects with the reason of an aborted signal, and sends nothing', async () => {
    const { client, sent } = serve([answer({})])
    const signal = AbortSignal.abort(new RangeError('no longer needed'))
    await expect(client.evm.supportedChains({}, { signal })).rejects.toThrow('no longer needed')
    expect(sent).toEqual([])
  })
})

test('uses a kept answer again if the service confirms it', async () => {
  const cache = new Map()
  const first = answer({ chains: [] }, { headers: { etag: '"a"' } })
  const { client, sent } = serve([first, () => new Response(null, { status: 304 })], { cache })
  expect(await client.evm.supportedChains()).toEqual({ chains: [] })
  expect(await client.evm.supportedChains()).toEqual({ chains: [] })
  expect(sent.map(({ init }) => new Headers(init.headers).get('if-none-match'))).toEqual([null, '"a"'])
})

test('returns server-sent events, without comments, across chunks', async () => {
  const text = ': hello\n\nid: 7\nevent: block\ndata: {"a":\ndata: 1}\n\nid: 8\ndata: x\n\n'
  const chunks = text.match(/[\s\S]{1,5}/g) ?? []
  const body = () => new Response(new Blob(chunks).stream())
  const { client } = serve([body])
  const events = []
  for await (const event of client.evm.listChanges({ chainId: '1' })) events.push(event)
  expect(events).toEqual([
    { id: '7', event: 'block', data: '{"a":\n1}' },
    { id: '8', event: 'message', data: 'x' },
  ])
})
