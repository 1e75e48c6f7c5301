import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFirnError } from '@firn/codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSocket, serveSockets } from '../../testing/socketServer.ts'
import { createJsonRpc, type JsonRpc } from './JsonRpc.ts'

interface Request {
  readonly id: number
  readonly method: string
}

/** Behaviour of the fake server for the next request. With `wait`, the server does not answer. */
interface Plan {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | ((request: Request | Request[]) => string) | 'wait' | 'cut'
}

let plan: Plan = { body: '' }
let lastHeaders: Readonly<Record<string, unknown>> = {}
const sockets = new Set<ServedSocket>()
const respond = (request: string): string => {
  const { body } = plan
  return typeof body === 'string' ? body : body(JSON.parse(request) as Request)
}
const server = createServer((request, response) => {
  let text = ''
  lastHeaders = request.headers
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    if (plan.body === 'wait') return
    if (plan.body === 'cut') return void response.destroy()
    response.writeHead(plan.status ?? 200, plan.headers).end(respond(text))
  })
})
serveSockets(server, {
  opened: (socket) => void sockets.add(socket),
  closed: (socket) => void sockets.delete(socket),
  message(socket, text) {
    if (plan.body === 'wait') return
    if (plan.body === 'cut') socket.cut()
    else socket.send(respond(text))
  },
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  for (const socket of sockets) socket.cut()
  server.close()
})

const calls = (count: number) => Array.from({ length: count }, (_, i) => ({ method: 'm', params: [i] }))
const all = (request: Request | Request[]): Request[] => (Array.isArray(request) ? request : [request])
const results = (request: Request | Request[]): unknown[] =>
  all(request).map(({ id }) => ({ jsonrpc: '2.0', id, result: id }))
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return isFirnError(error) ? error.code : `${error}`
  }
}

describe.each(['http', 'ws'] as const)('requests over %s', (scheme) => {
  const open = (more: object = {}): JsonRpc =>
    createJsonRpc({ url: `${scheme}://127.0.0.1:${port}/secret?key=secret`, timeoutMs: 600_000, ...more })
  const asking = async (body: Plan['body'], count = 3, more?: object): Promise<string> => {
    plan = { body }
    const rpc = open(more)
    const code = await codeOf(rpc.ask(calls(count)))
    rpc.close()
    return code
  }

  it('sends one call as an object and several calls as a batch, and returns the answers in the order of the calls', async () => {
    const rpc = open()
    plan = {
      body: (request) =>
        JSON.stringify(Array.isArray(request) ? results(request).reverse() : results(request)[0]),
    }
    expect((await rpc.ask(calls(1))).answers.length).toBe(1)
    const { answers, bytes } = await rpc.ask(calls(3))
    const values = answers.map(({ result }) => Number(result))
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(bytes).toBeGreaterThan(50)
    rpc.close()
  })

  it('returns the error of a single call as the answer to that call', async () => {
    const rpc = open()
    plan = {
      body: (request) =>
        JSON.stringify(
          results(request).map((one, i) =>
            i === 1
              ? { ...(one as object), result: undefined, error: { code: -32000, message: 'no such thing' } }
              : one,
          ),
        ),
    }
    const { answers } = await rpc.ask(calls(3))
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, 'INDEXER_RPC_REFUSED', undefined])
    rpc.close()
  })

  it.each([
    ['one is missing', (all: unknown[]) => all.slice(1), 'INDEXER_RPC_MALFORMED'],
    ['one is duplicated', (all: unknown[]) => [...all, all[0]], 'INDEXER_RPC_MALFORMED'],
    [
      'one belongs to another request',
      (all: unknown[]) => [...all, { id: 99_999, result: 1 }],
      'INDEXER_RPC_MALFORMED',
    ],
    [
      'one is neither result nor error',
      (all: unknown[]) => all.map((one) => ({ id: (one as Request).id })),
      'INDEXER_RPC_MALFORMED',
    ],
    ['one is not an object', (all: unknown[]) => [...all.slice(1), 7], 'INDEXER_RPC_MALFORMED'],
  ])('rejects a batch of answers in which %s', async (_name, change, code) => {
    expect(await asking((request) => JSON.stringify(change(results(request))))).toBe(code)
  })

  it.each([
    ['batch too large', -32600, 'INDEXER_RPC_TOO_LARGE'],
    ['response size exceeded', -32003, 'INDEXER_RPC_TOO_LARGE'],
    ['daily request count exceeded, request rate limited', -32005, 'INDEXER_RPC_LIMITED'],
    ['Your app has exceeded its compute units per second capacity', 429, 'INDEXER_RPC_LIMITED'],
    ['invalid request', -32600, 'INDEXER_RPC_REFUSED'],
  ])('maps the refusal of a whole request to an error code: %s', async (message, code, expected) => {
    expect(await asking(() => JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))).toBe(
      expected,
    )
  })

  it('throws a specific error code for invalid JSON, and for missing, truncated and oversized answers', async () => {
    expect(await asking('<html>')).toBe('INDEXER_RPC_MALFORMED')
    expect(await asking('wait', 3, { timeoutMs: 200 })).toBe('INDEXER_RPC_TIMEOUT')
    expect(await asking('cut')).toBe('INDEXER_RPC_UNAVAILABLE')
    expect(await asking((request) => JSON.stringify(results(request)), 50, { maxResponseBytes: 500 })).toBe(
      'INDEXER_RPC_TOO_LARGE',
    )
  })

  it('stops waiting on abort, and still receives the answer to the next request', async () => {
    const rpc = open()
    plan = { body: 'wait' }
    const stop = new AbortController()
    const asked = codeOf(rpc.ask(calls(1), stop.signal))
    setTimeout(() => stop.abort(new Error('enough')), 20)
    expect(await asked).toBe('Error: enough')
    plan = { body: (request) => JSON.stringify(results(request)[0]) }
    expect(await codeOf(rpc.ask(calls(1)))).toBe('none')
    rpc.close()
  })

  it("shows only the host of the node's URL in names and errors", async () => {
    plan = { body: 'cut' }
    const rpc = open()
    const message = await rpc
      .ask(calls(1))
      .catch((error: Error) => `${error.message} ${JSON.stringify(error)}`)
    expect(rpc.name).toBe(`127.0.0.1:${port}`)
    expect(String(message)).not.toContain('secret')
    rpc.close()
  })
})

describe('HTTP', () => {
  const ask = (url = `http://127.0.0.1:${port}`) => createJsonRpc({ url, timeoutMs: 600_000 }).ask(calls(1))

  it.each([
    [429, { 'retry-after': '7' }, 'INDEXER_RPC_LIMITED', 7_000],
    [503, { 'retry-after': '1.5' }, 'INDEXER_RPC_LIMITED', 1_500],
    [503, {}, 'INDEXER_RPC_UNAVAILABLE', undefined],
    [502, {}, 'INDEXER_RPC_UNAVAILABLE', undefined],
    [413, {}, 'INDEXER_RPC_TOO_LARGE', undefined],
    [403, {}, 'INDEXER_RPC_REFUSED', undefined],
  ])(
    'maps the HTTP status %d with the headers %o to an error code',
    async (status, headers, code, retryAfterMs) => {
      plan = { status, headers, body: 'words' }
      const error = await ask().catch((one: unknown) => one)
      expect(isFirnError(error) && [error.code, error.details['retryAfterMs']]).toEqual([code, retryAfterMs])
    },
  )

  it('parses a retry-after header that contains a date', async () => {
    plan = { status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, body: '' }
    const error = await ask().catch((one: unknown) => one)
    const ms = isFirnError(error) ? Number(error.details['retryAfterMs']) : 0
    expect(ms).toBeGreaterThan(55_000)
    expect(ms).toBeLessThan(61_000)
  })

  it('sends the user name and password of the URL as a header', async () => {
    plan = { body: (request) => JSON.stringify(results(request)[0]) }
    await ask(`http://me:pass%20word@127.0.0.1:${port}`)
    expect(lastHeaders['authorization']).toBe(`Basic ${Buffer.from('me:pass word').toString('base64')}`)
  })

  it('rejects an invalid URL without showing it in the error', () => {
    const make = (url: string) => () => createJsonRpc({ url })
    expect(make('ftp://secret')).toThrow(/expected a URL/)
    expect(make('secret')).not.toThrow(/secret/)
  })
})

it('delivers all events of a subscription from the first one on, and reports the end of the subscription', async () => {
  const events: unknown[] = []
  let ends = 0
  const rpc = createJsonRpc({ url: `ws://127.0.0.1:${port}`, timeoutMs: 600_000 })
  const event = (value: number) =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: '0x7', result: value },
    })
  plan = {
    body: (request) => {
      // The server sends the event before the answer that contains the subscription id.
      for (const socket of sockets) socket.send(event(1))
      return JSON.stringify({ jsonrpc: '2.0', id: all(request)[0]?.id, result: '0x7' })
    },
  }
  await rpc.subscribe?.(['newHeads'], {
    event: (payload) => void events.push(payload),
    end: () => {
      ends += 1
    },
  })
  for (const socket of sockets) socket.send(event(2))
  await expect.poll(() => events).toEqual([1, 2])
  for (const socket of sockets) socket.cut()
  await expect.poll(() => ends).toBe(1)
  rpc.close()
})
