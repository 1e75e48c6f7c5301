import { Id, NodeId } from '@firn/codec'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  createHttpClient,
  type HttpClientOptions,
  isRpcError,
  type Outcome,
  PlatformMethods,
  type RpcError,
} from './browser.ts'

type Sent = { readonly id: number; readonly method: string; readonly params: unknown }
/** Returns the response to a request, given its calls and the number of requests so far. */
type Script = (calls: Sent | readonly Sent[], count: number) => Response | Promise<Response>

const HEIGHT = (id: number) => ({ jsonrpc: '2.0', result: { height: '7' }, id })
const respond = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init)
const heights: Script = (calls) =>
  respond(Array.isArray(calls) ? calls.map(({ id }) => HEIGHT(id)) : HEIGHT((calls as Sent).id))
const busy = (headers: Record<string, string> = {}) => new Response('busy', { status: 503, headers })
/** The response of a node to a batch. */
const noBatch = () =>
  respond({
    jsonrpc: '2.0',
    error: { code: -32700, message: 'cannot unmarshal array', data: null },
    id: null,
  })

function setup(script: Script, options: Partial<HttpClientOptions> = {}) {
  const requests: (Sent | readonly Sent[])[] = []
  const delays: number[] = []
  const clock = {
    now: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      delays.push(ms)
    },
  }
  const client = createHttpClient(PlatformMethods, {
    url: 'http://127.0.0.1:9650',
    path: '/ext/bc/P',
    clock,
    random: () => 0.5,
    fetch: async (_url, init) => {
      init?.signal?.throwIfAborted()
      const calls = JSON.parse(String(init?.body)) as Sent
      requests.push(calls)
      return script(calls, requests.length)
    },
    ...options,
  })
  return { client, requests, delays }
}

const failure = (promise: Promise<unknown>): Promise<RpcError> =>
  promise.then(
    () => expect.fail('expected a failure'),
    (error) => (isRpcError(error) ? error : Promise.reject(error)),
  )
const codeOf = async (promise: Promise<unknown>) => (await failure(promise)).code

describe('createHttpClient', () => {
  test('returns typed results', async () => {
    const { client } = setup(heights)
    const result = await client.call('platform.getHeight')
    expectTypeOf(result).toEqualTypeOf<{ readonly height: bigint }>()
    expect(result).toEqual({ height: 7n })
  })

  test('returns the gas weights of a fee configuration by name', async () => {
    const numbers = {
      maxCapacity: 1,
      maxPerSecond: 1,
      targetPerSecond: 1,
      minPrice: 1,
      excessConversionConstant: 1,
    }
    const result = { weights: [1, 1000, 1001, 4], ...numbers }
    const { client } = setup((call) => respond({ jsonrpc: '2.0', result, id: (call as Sent).id }))
    const { weights } = await client.call('platform.getFeeConfig')
    expect(weights).toEqual({ bandwidth: 1n, dbRead: 1000n, dbWrite: 1001n, compute: 4n })
  })

  test('rejects URLs of other protocols', () => {
    expect(() => setup(heights, { url: 'ws://127.0.0.1:9650' })).toThrow('http')
  })

  test('rejects a response that is longer than the limit, without a second attempt', async () => {
    const { client, requests } = setup(heights, { maxResponseBytes: 10 })
    expect((await failure(client.call('platform.getHeight'))).details.maxResponseBytes).toBe(10)
    expect(requests).toHaveLength(1)
  })
})

describe('Retries', () => {
  const attempt =
    (method: 'platform.getHeight' | 'platform.issueTx') => (client: ReturnType<typeof setup>['client']) =>
      method === 'platform.getHeight' ? client.call(method) : client.call(method, { tx: '0x00' })
  const refused = async () => {
    throw new TypeError('connection refused')
  }
  const limited: Script = (call) =>
    respond({ jsonrpc: '2.0', error: { code: -32005, message: 'slow down' }, id: (call as Sent).id })
  const reverted = () => respond({ jsonrpc: '2.0', error: { code: -32000, message: 'not found' }, id: 1 })

  test.each<[string, 'platform.getHeight' | 'platform.issueTx', Script, number]>([
    ['an unreachable server', 'platform.getHeight', refused, 3],
    ['an unavailable server', 'platform.getHeight', () => busy(), 3],
    ['a rate limit', 'platform.getHeight', () => new Response('', { status: 429 }), 3],
    ['a rate limit as a JSON-RPC error', 'platform.getHeight', limited, 3],
    ['an error of the method', 'platform.getHeight', reverted, 1],
    ['a missing path', 'platform.getHeight', () => new Response('', { status: 404 }), 1],
    ['a response that is not JSON', 'platform.getHeight', () => new Response('<html>'), 1],
    ['an unreachable server, for a transaction', 'platform.issueTx', refused, 1],
    [
      'an unavailable server, for a transaction',
      'platform.issueTx',
      () => new Response('', { status: 502 }),
      1,
    ],
    ['a rate limit, for a transaction', 'platform.issueTx', () => new Response('', { status: 429 }), 3],
  ])('sends a request as often as allowed after %s', async (_name, method, script, count) => {
    const { client, requests, delays } = setup(script)
    await failure(attempt(method)(client))
    expect(requests).toHaveLength(count)
    expect(delays).toHaveLength(count - 1)
  })

  test('waits longer after each failure, and returns the result of a later attempt', async () => {
    const { client, delays } = setup((calls, count) => (count < 4 ? busy() : heights(calls, count)), {
      attempts: 4,
    })
    expect(await client.call('platform.getHeight')).toEqual({ height: 7n })
    expect(delays).toEqual([150, 300, 600])
  })

  test('waits as long as the server asks', async () => {
    const { client, delays } = setup((calls, count) =>
      count === 1 ? busy({ 'retry-after': '7' }) : heights(calls, count),
    )
    await client.call('platform.getHeight')
    expect(delays).toEqual([7_000])
  })

  test('fails at once if the server asks for too long a delay', async () => {
    const { client, delays } = setup(() => busy({ 'retry-after': '61' }))
    expect((await failure(client.call('platform.getHeight'))).details.retryAfterMs).toBe(61_000)
    expect(delays).toEqual([])
  })

  test('ends the wait for the next attempt if the signal is aborted', async () => {
    const controller = new AbortController()
    const { client, requests } = setup(() => {
      controller.abort()
      return busy()
    })
    const { signal } = controller
    expect(await codeOf(client.call('platform.getHeight', {}, { signal }))).toBe('RPC_ABORTED')
    expect(requests).toHaveLength(1)
  })
})

describe('Batches', () => {
  const nodeId = NodeId.format(new Uint8Array(20).fill(3))

  test('sends several calls in one request, and returns a typed result or an error for each', async () => {
    const { client, requests } = setup((calls) => {
      const [first, second, third] = calls as readonly Sent[] as [Sent, Sent, Sent]
      const error = { code: -32000, message: 'not found', data: null }
      const validators = { jsonrpc: '2.0', result: { validators: [nodeId] }, id: second.id }
      const wrong = { jsonrpc: '2.0', result: { height: 7 }, id: third.id }
      return respond([wrong, validators, { jsonrpc: '2.0', error, id: first.id }])
    })
    const outcomes = await client.batch([
      { method: 'platform.getTx', params: { txID: Id.format(Id.EMPTY) } },
      { method: 'platform.sampleValidators', params: { size: 1 } },
      { method: 'platform.getHeight' },
    ])
    expectTypeOf(outcomes[2]).toEqualTypeOf<Outcome<{ readonly height: bigint }>>()
    expect(requests).toHaveLength(1)
    const [tx, { result }, height] = outcomes
    expect(tx.error?.details).toMatchObject({ rpcCode: -32000, rpcMessage: 'not found' })
    expect(result?.validators).toEqual([nodeId])
    expect(height.error).toMatchObject({ code: 'RPC_RESPONSE', details: { path: 'result.height' } })
  })

  test('sends single requests to a server that rejects batches, and remembers it', async () => {
    const { client, requests } = setup((calls, count) =>
      Array.isArray(calls) ? noBatch() : heights(calls, count),
    )
    const calls = Array.from({ length: 20 }, () => ({ method: 'platform.getHeight' as const }))
    const outcomes = await client.batch(calls)
    expect(outcomes).toEqual(calls.map(() => ({ result: { height: 7n } })))
    expect(requests).toHaveLength(21)
    await client.batch(calls.slice(0, 2))
    expect(requests).toHaveLength(23)
  })

  test('sends at most six requests at the same time instead of a batch', async () => {
    let [open, most] = [0, 0]
    const { client } = setup(async (calls, count) => {
      if (Array.isArray(calls)) return noBatch()
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return heights(calls, count)
    })
    await client.batch(Array.from({ length: 20 }, () => ({ method: 'platform.getHeight' as const })))
    expect(most).toBe(6)
  })

  test('sends nothing for an empty batch', async () => {
    const { client, requests } = setup(heights)
    expect(await client.batch([])).toEqual([])
    expect(requests).toEqual([])
  })

  test('sends nothing if the arguments of one call are invalid', async () => {
    const { client, requests } = setup(heights)
    const calls = [
      { method: 'platform.getHeight' },
      { method: 'platform.getTx', params: { txID: 5 as unknown as string } },
    ] as const
    expect(await codeOf(client.batch(calls))).toBe('RPC_SCHEMA')
    expect(requests).toEqual([])
  })

  test('rejects as a whole if no response arrives, or the signal is aborted', async () => {
    const calls = [{ method: 'platform.getHeight' }, { method: 'platform.getTimestamp' }] as const
    const { client, requests } = setup(() => busy())
    expect(await codeOf(client.batch(calls))).toBe('RPC_HTTP')
    expect(requests).toHaveLength(3)
    expect(await codeOf(client.batch(calls, { signal: AbortSignal.abort() }))).toBe('RPC_ABORTED')
  })

  test('causes a compile error for an unknown method and a missing argument', () => {
    const { client } = setup(heights)
    // @ts-expect-error the table has no such method
    expect(() => client.batch([{ method: 'platform.getNothing' }])).toBeTypeOf('function')
    // @ts-expect-error `txID` is missing
    expect(() => client.batch([{ method: 'platform.getTx', params: {} }])).toBeTypeOf('function')
  })
})
