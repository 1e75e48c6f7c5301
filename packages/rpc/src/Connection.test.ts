import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectionOptions, classify, connect, isRpcError, type RpcError } from './index.ts'
import { type Behaviour, echo, type FaultyServer, startFaultyServer, unwrap } from './testing/faultyServer.ts'

let server: FaultyServer
beforeAll(async () => {
  server = await startFaultyServer()
})
beforeEach(() => {
  server.behaviour = echo
})
afterAll(() => server.close())

const failure = async (work: Promise<unknown>): Promise<RpcError> => {
  const error = await work.then(
    () => 'an answer',
    (reason: unknown) => reason,
  )
  if (!isRpcError(error)) expect.fail(`expected an RpcError, got ${error}`)
  return error
}
const batch = [
  { method: 'a', params: [] },
  { method: 'b', params: [] },
]
const text = (body: unknown): Behaviour => ({ answer: () => JSON.stringify(body) })
const refusal = (code: number, message: string, data?: unknown) =>
  text({ jsonrpc: '2.0', id: null, error: { code, message, data } })

describe.each(['http', 'ws'] as const)('a connection over %s', (scheme) => {
  const open = (options: Partial<ConnectionOptions> = {}) =>
    connect({ url: `${scheme}://${server.host}/key?key=secret`, timeoutMs: 600_000, ...options })

  it('sends a single call as an object and several as a batch, and returns the responses in order', async () => {
    const node = open()
    expect(await node.call('a', {})).toBe(1)
    server.behaviour = {
      answer: (calls) =>
        JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: id })).reverse()),
    }
    const { answers } = await node.ask(batch)
    expect(answers.map(({ result }) => result)).toEqual([2, 3])
    expect(server.requests.slice(-2).map((one) => Array.isArray(JSON.parse(one)))).toEqual([false, true])
    node.close()
  })

  it.each<[string, Behaviour, Partial<ConnectionOptions>, string, string]>([
    ['a silent server', { answer: 'silent' }, { timeoutMs: 50 }, 'RPC_TIMEOUT', 'timeout'],
    ['a connection that breaks', { answer: 'cut' }, {}, 'RPC_TRANSPORT', 'unreachable'],
    ['a connection that breaks during the answer', { answer: 'half' }, {}, 'RPC_TRANSPORT', 'unreachable'],
    [
      'an answer above the size limit',
      text('x'.repeat(2_000)),
      { maxResponseBytes: 1_000 },
      'RPC_RESPONSE',
      'oversize',
    ],
    ['HTML', { answer: () => '<html>' }, {}, 'RPC_RESPONSE', 'malformed'],
    ['another id', text({ jsonrpc: '2.0', id: 999, result: 1 }), { timeoutMs: 500 }, '', 'malformed'],
    ['neither result nor error', { answer: ([one]) => `{"id":${one?.id}}` }, {}, 'RPC_RESPONSE', 'malformed'],
    ['a rate-limit error', refusal(-32005, 'slow down'), {}, 'RPC_REMOTE', 'limited'],
    [
      'an error message about a rate limit',
      refusal(-32000, 'too many requests'),
      {},
      'RPC_REMOTE',
      'limited',
    ],
    [
      'error data with the time of the next attempt',
      refusal(-1, '', { retry_after: 2 }),
      {},
      'RPC_REMOTE',
      'limited',
    ],
    ['a batch that is too large', refusal(-32600, 'batch too large'), {}, 'RPC_REMOTE', 'tooLarge'],
    ['an error of the method', refusal(-32000, 'not found'), {}, 'RPC_REMOTE', 'answered'],
    ['a lack of gas capacity', refusal(-32000, 'insufficient capacity'), {}, 'RPC_REMOTE', 'answered'],
    ['a revert with any message', refusal(3, 'rate limit'), {}, 'RPC_REMOTE', 'answered'],
  ])(
    'rejects with the expected error code and failure class on %s',
    async (name, behaviour, options, code, expected) => {
      server.behaviour = behaviour
      const node = open(options)
      const error = await failure(node.call('a', {}))
      // WebSocket responses are matched to requests by id, so a response with an unknown id matches no
      // request.
      const isUnclaimed = name === 'another id' && scheme === 'ws'
      expect(classify(error)).toBe(isUnclaimed ? 'timeout' : expected)
      if (code !== '') expect(error.code).toBe(code)
      expect(error.details).toMatchObject({ url: `${scheme}://${server.host}/key`, method: 'a' })
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('secret')
      node.close()
    },
  )

  it.each([
    ['lacks a response', (all: object[]) => all.slice(1)],
    ['repeats a response', (all: object[]) => [...all, all[0]]],
    ['contains a response to another request', (all: object[]) => [...all, { id: 999, result: 1 }]],
    ['contains a number', (all: object[]) => [...all, 7]],
  ])('rejects a batch response that %s', async (_name, change) => {
    server.behaviour = {
      answer: (calls) => JSON.stringify(change(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 1 })))),
    }
    const node = open()
    expect(classify(await failure(node.ask(batch)))).toBe('malformed')
    node.close()
  })

  it('returns the results of the other calls of a batch if one call fails', async () => {
    server.behaviour = {
      answer: (calls) =>
        JSON.stringify(
          unwrap(
            calls.map(({ id, method }) =>
              method === 'a' ? { id, error: { code: -7, message: 'no' } } : { id, result: 1 },
            ),
          ),
        ),
    }
    const node = open()
    const { answers } = await node.ask(batch)
    expect(answers.map((answer) => answer.error?.details.rpcCode ?? answer.result)).toEqual([-7, 1])
    node.close()
  })

  it('rejects a response that violates the JSON-RPC 2.0 format in strict mode', async () => {
    const node = open({ isStrict: true })
    const changes = [() => ({ jsonrpc: '1.0' }), (id = 0) => ({ id: `${id}` }), () => ({ result: null })]
    for (const change of changes) {
      server.behaviour = {
        answer: ([one]) => JSON.stringify({ jsonrpc: '2.0', id: one?.id, result: 1, ...change(one?.id) }),
      }
      expect(classify(await failure(node.call('a', {})))).toBe('malformed')
    }
    node.close()
  })

  it('aborts one call and completes the next call on the same connection', async () => {
    const node = open()
    server.behaviour = { answer: 'silent' }
    const stop = new AbortController()
    const call = failure(node.call('a', {}, { signal: stop.signal }))
    stop.abort()
    expect((await call).code).toBe('RPC_ABORTED')
    expect((await failure(node.call('a', {}, { signal: stop.signal }))).code).toBe('RPC_ABORTED')
    server.behaviour = echo
    expect(await node.call('a', {})).toBeTypeOf('number')
    node.close()
  })

  it('sends the user and password from the URL, and the configured headers', async () => {
    const node = connect({ url: `${scheme}://me:p%20w@${server.host}`, headers: { 'x-key': 'k' } })
    await node.call('a', {})
    expect(server.headers).toMatchObject({ authorization: `Basic ${btoa('me:p w')}`, 'x-key': 'k' })
    node.close()
  })
})

describe('the HTTP status of a response', () => {
  it.each([
    [429, { 'retry-after': '7' }, 'limited', 7_000],
    [503, { 'retry-after': '1.5' }, 'limited', 1_500],
    [503, {}, 'unavailable', undefined],
    [502, {}, 'unavailable', undefined],
    [408, {}, 'unavailable', undefined],
    [404, {}, 'absent', undefined],
    [413, {}, 'tooLarge', undefined],
    [403, {}, 'refused', undefined],
  ])(
    'maps HTTP status %d with headers %o to its failure class',
    async (status, headers, expected, retryAfterMs) => {
      server.behaviour = { status, headers, answer: () => 'words' }
      const error = await failure(connect({ url: `http://${server.host}` }).call('a', {}))
      expect([error.code, classify(error), error.details.retryAfterMs]).toEqual([
        'RPC_HTTP',
        expected,
        retryAfterMs,
      ])
    },
  )

  it('classifies an error by the HTTP status of a failing proxy, even if the body contains a JSON-RPC error', async () => {
    server.behaviour = { ...refusal(-32603, 'method not found'), status: 502 }
    const error = await failure(connect({ url: `http://${server.host}` }).call('a', {}))
    expect([error.code, classify(error)]).toEqual(['RPC_REMOTE', 'unavailable'])
  })
})

describe('subscribe', () => {
  const event = (id: string, result: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: id, result } })

  it('delivers events that arrive before the subscription id, ends a subscription when its socket closes, and subscribes again on a new socket', async () => {
    const node = connect({ url: `ws://${server.host}` })
    const heard: unknown[] = []
    const subscriber = { event: (payload: unknown) => heard.push(payload), end: () => heard.push('end') }
    server.behaviour = {
      answer: ([one]) => {
        for (const socket of server.sockets) socket.send(event('0x7', 'early'))
        return JSON.stringify({ jsonrpc: '2.0', id: one?.id, result: '0x7' })
      },
    }
    await node.subscribe?.(['newHeads'], subscriber)
    for (const socket of server.sockets) socket.send(event('0x7', 'late'))
    await expect.poll(() => heard).toEqual(['early', 'late'])
    for (const socket of server.sockets) socket.terminate()
    await expect.poll(() => heard.at(-1)).toBe('end')
    await node.subscribe?.(['newHeads'], subscriber)
    expect(heard).toEqual(['early', 'late', 'end', 'early'])
    node.close()
  })

  it('fails all pending calls when the socket breaks', async () => {
    server.behaviour = { answer: 'silent' }
    const node = connect({ url: `ws://${server.host}` })
    const before = server.requests.length
    const calls = [failure(node.call('a', {})), failure(node.ask(batch))]
    await expect.poll(() => server.requests.length).toBe(before + 2)
    for (const socket of server.sockets) socket.terminate()
    expect((await Promise.all(calls)).map(classify)).toEqual(['unreachable', 'unreachable'])
    node.close()
  })
})

it('rejects a URL with an unsupported scheme without showing the URL', () => {
  expect(() => connect({ url: 'ftp://secret' })).toThrow(/^expected a URL that begins with http/)
  expect(() => connect({ url: 'secret' })).not.toThrow(/secret/)
})
