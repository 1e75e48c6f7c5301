import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient, InfoMethods, isRpcError, PlatformMethods, type RpcError } from './index.ts'

const URL_P = 'http://127.0.0.1:9650/ext/bc/P'

function answering(body: string | Uint8Array<ArrayBuffer>, status = 200): typeof fetch {
  return async () => new Response(body, { status })
}

function client(fetchAnswer: typeof fetch, options: { timeoutMs?: number; maxResponseBytes?: number } = {}) {
  return createClient(PlatformMethods, { url: URL_P, fetch: fetchAnswer, ...options })
}

async function failure(promise: Promise<unknown>): Promise<RpcError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isRpcError(error)) expect.fail(`expected an RpcError, got ${error}`)
  return error
}

test('sends the JSON-RPC request and returns the typed result', async () => {
  let sent: { readonly url: unknown; readonly init: RequestInit | undefined } | undefined
  const fake: typeof fetch = async (url, init) => {
    sent = { url, init }
    return new Response('{"jsonrpc":"2.0","result":{"height":"18446744073709551615"},"id":1}\n')
  }
  const api = createClient(PlatformMethods, {
    url: URL_P,
    fetch: fake,
    headers: { 'x-key': 'k' },
    query: { token: 'a b' },
  })
  const result = await api.call('platform.getHeight')
  expectTypeOf(result).toEqualTypeOf<{ readonly height: bigint }>()
  expect(result).toEqual({ height: 2n ** 64n - 1n })
  expect(sent?.url).toBe(`${URL_P}?token=a+b`)
  expect(sent?.init?.body).toBe('{"jsonrpc":"2.0","id":1,"method":"platform.getHeight","params":{}}')
  expect(sent?.init?.headers).toEqual({ 'x-key': 'k', 'content-type': 'application/json' })
})

describe('Client failures', () => {
  test.each([
    [
      'plain text',
      answering('404 page not found\n', 404),
      'RPC_HTTP',
      { httpStatus: 404, body: '404 page not found\n' },
    ],
    ['not JSON', answering('<html>'), 'RPC_RESPONSE', { httpStatus: 200, body: '<html>' }],
    ['an empty body', answering(''), 'RPC_RESPONSE', { httpStatus: 200 }],
    ['another id', answering('{"jsonrpc":"2.0","result":{"height":"1"},"id":2}'), 'RPC_RESPONSE', {}],
    ['another version', answering('{"result":{"height":"1"},"id":1}'), 'RPC_RESPONSE', {}],
    ['null as result', answering('{"jsonrpc":"2.0","result":null,"id":1}'), 'RPC_RESPONSE', {}],
    [
      'a number instead of a string',
      answering('{"jsonrpc":"2.0","result":{"height":1},"id":1}'),
      'RPC_RESPONSE',
      { path: 'result.height' },
    ],
    [
      'an error',
      answering(
        '{"jsonrpc":"2.0","error":{"code":-32000,"message":"not found","data":[18446744073709551615]},"id":1}',
      ),
      'RPC_REMOTE',
      { rpcCode: -32000, rpcMessage: 'not found', data: [2n ** 64n - 1n], httpStatus: 200 },
    ],
    [
      'an error with HTTP 500',
      answering('{"jsonrpc":"2.0","error":{"code":-1,"message":"x","data":null},"id":1}', 500),
      'RPC_REMOTE',
      { rpcCode: -1, httpStatus: 500 },
    ],
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'RPC_TRANSPORT', {}],
  ] as const)('rejects the call with a typed error: %s', async (_name, answer, code, details) => {
    const error = await failure(client(answer).call('platform.getHeight'))
    expect(error.code).toBe(code)
    expect(error.details).toMatchObject({ url: URL_P, method: 'platform.getHeight', ...details })
  })

  test('rejects a response that is longer than the limit', async () => {
    const answer = answering(new Uint8Array(1001))
    const error = await failure(client(answer, { maxResponseBytes: 1000 }).call('platform.getHeight'))
    expect(error.code).toBe('RPC_RESPONSE')
  })

  const silent: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )

  test('rejects with RPC_TIMEOUT if the server does not respond', async () => {
    expect((await failure(client(silent, { timeoutMs: 20 }).call('platform.getHeight'))).code).toBe(
      'RPC_TIMEOUT',
    )
  })

  test("rejects with RPC_ABORTED if the caller's signal is aborted", async () => {
    const stop = new AbortController()
    const call = client(silent).call('platform.getHeight', {}, { signal: stop.signal })
    stop.abort()
    expect((await failure(call)).code).toBe('RPC_ABORTED')
  })

  test('sends no request if the arguments do not match the schema', async () => {
    const api = client(() => expect.fail('sent'))
    const error = await failure(api.call('platform.getTx', { txID: new Uint8Array(31) }))
    expect(error.code).toBe('RPC_SCHEMA')
    expect(error.details.path).toBe('params.txID')
  })
})

test('causes a compile error if a required argument is missing', () => {
  const api = createClient(InfoMethods, { url: URL_P, fetch: answering('') })
  // @ts-expect-error `alias` is missing
  const call = () => api.call('info.getBlockchainID', {})
  expect(call).toBeTypeOf('function')
})
