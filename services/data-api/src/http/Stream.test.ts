import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { ApiKey, TrustedProxies } from '@firn/http'
import { until } from '@firn/runtime/testing'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { storedKey } from '../testing/storedKey.ts'
import { type AccessOptions, createAccess } from './admission/Access.ts'
import { createMemoryCounters } from './admission/RateLimit.ts'
import { defineStream } from './endpoint/Endpoint.ts'
import * as Schema from './endpoint/Schema.ts'
import { restPlugin, serverOptions } from './RestPlugin.ts'
import { addStreams } from './Stream.ts'

const none = { unitsPerMinute: 0, unitsPerDay: 0 }
const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })

/** Serves a stream of large texts without an end, whose readers may be slow for 50 ms. */
async function serve(ended: () => void): Promise<{ server: FastifyInstance; port: number }> {
  async function* endless(signal: AbortSignal): AsyncGenerator<string> {
    try {
      while (!signal.aborted) {
        yield `data: ${'x'.repeat(1_000_000)}\n\n`
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      ended()
    }
  }
  const open = async ({ signal }: { readonly signal: AbortSignal }) => endless(signal)
  const stream = defineStream({
    ...{
      path: '/endless',
      operationId: 'endless',
      summary: 'Texts',
      tag: 'EVM',
      scope: 'data',
      units: 1,
      unitsPerMinute: 1,
    },
    ...{
      pathParameters: {},
      queryParameters: {},
      response: Schema.text('Texts', 'x'),
      open,
      openSocket: open,
    },
  })
  const server: FastifyInstance = fastify(serverOptions)
  addStreams(server, { access, streams: [stream], patienceMs: 50 })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, port: (server.server.address() as { port: number }).port }
}

test('disconnects a reader of server-sent events that accepts no data', async () => {
  const ended = vi.fn()
  const { server, port } = await serve(ended)
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => expect(ended).toHaveBeenCalledTimes(1))
  socket.destroy()
  await server.close()
})

test('closes the WebSocket of a reader that accepts no data, and says why', async () => {
  const ended = vi.fn()
  const { server, port } = await serve(ended)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/endless`)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('open', () => socket.pause())
  await until(() => expect(ended).toHaveBeenCalledTimes(1))
  socket.resume()
  // The reason arrives after the data that was sent before, if the reader begins to read within a second.
  expect([1013, 1006]).toContain(await closed)
  await server.close()
})

describe('an open stream', () => {
  const MINUTE_MS = 60_000
  const open: FastifyInstance[] = []
  /** What happens each minute. */
  let everyMinute: (() => void)[] = []
  beforeEach(() => {
    everyMinute = []
    const real = setInterval
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
      if (ms === MINUTE_MS) everyMinute.push(work)
      return real(work, ms)
    }) as typeof setInterval)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const server of open.splice(0)) {
      server.server.closeAllConnections()
      await server.close()
    }
  })

  /** Serves a stream that costs 20 units, and 10 for each minute, and sends nothing after its first event. */
  async function serveQuiet(options: Partial<AccessOptions> = {}) {
    async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
      yield 'data: first\n\n'
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const start = async ({ signal }: { readonly signal: AbortSignal }) => quiet(signal)
    const stream = defineStream({
      ...{ path: '/quiet', operationId: 'quiet', summary: 'Texts', tag: 'EVM', scope: 'data' },
      ...{ units: 20, unitsPerMinute: 10, pathParameters: {}, queryParameters: {} },
      ...{ response: Schema.text('Texts', 'x'), open: start, openSocket: start },
    })
    const allowance = { unitsPerMinute: 45, unitsPerDay: 1_000, streams: 3 }
    const limited = createAccess({
      keys: async () => [],
      counters: createMemoryCounters(() => 0),
      ...{ anonymous: allowance, keyed: allowance },
      ...options,
    })
    const server: FastifyInstance = fastify(serverOptions)
    open.push(server)
    const served = { title: 'Test', version: '0', endpoints: [], streams: [stream], timeoutMs: 600_000 }
    await server.register(restPlugin({ ...served, access: limited }))
    await server.listen({ host: '127.0.0.1', port: 0 })
    return `127.0.0.1:${(server.server.address() as { port: number }).port}/quiet`
  }
  const partsOf = async (response: Response) => (await response.text()).split('\n\n')
  const passMinutes = (minutes: number) => {
    for (let i = 0; i < minutes; i++) for (const work of everyMinute) work()
  }

  test('costs units for each minute, and says why it ends when none are left', async () => {
    const response = await fetch(`http://${await serveQuiet()}`)
    passMinutes(3)
    const [first, end = ''] = await partsOf(response)
    expect([first, end.split('\n')[0]]).toEqual(['data: first', 'event: end'])
    expect(JSON.parse(end.split('\ndata: ')[1] ?? '')).toEqual({
      code: 'DATA_RATE_LIMIT',
      message: expect.stringContaining('rate limit exceeded: 45 compute units per minute'),
    })
  })

  test('closes a WebSocket with the reason when no units are left', async () => {
    const socket = new WebSocket(`ws://${await serveQuiet()}`)
    const closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve([code, reason.toString()])),
    )
    await new Promise((resolve) => socket.on('message', resolve))
    passMinutes(3)
    expect(await closed).toEqual([1013, expect.stringContaining('rate limit exceeded')])
  })

  test('ends when its key is revoked', async () => {
    const key = ApiKey.generate(randomBytes)
    let stored = storedKey(key)
    const url = await serveQuiet({ keys: async () => [stored] })
    const response = await fetch(`http://${url}`, { headers: { 'x-data-api-key': key } })
    passMinutes(1)
    stored = storedKey(key, { revokedAt: 1 })
    passMinutes(1)
    expect((await partsOf(response))[1]).toContain('the API key was revoked')
  })

  test('takes a place of its caller until it is closed', async () => {
    const url = await serveQuiet({
      trusted: TrustedProxies.create({ proxies: 1 }),
      anonymous: { unitsPerMinute: 1_000_000, unitsPerDay: 1_000_000, streams: 3 },
    })
    const stop = new AbortController()
    const ask = async (address: string, signal = stop.signal) => {
      const response = await fetch(`http://${url}`, { headers: { 'x-forwarded-for': address }, signal })
      const { status, headers } = response
      return { status, wait: headers.get('retry-after'), text: status === 200 ? '' : await response.text() }
    }
    const countOpen = (all: readonly { readonly status: number }[]) =>
      all.filter(({ status }) => status === 200).length
    const greedy = await Promise.all(Array.from({ length: 300 }, () => ask('10.0.0.1')))
    expect(countOpen(greedy)).toBe(3)
    expect(greedy.find(({ status }) => status !== 200)).toMatchObject({
      ...{ status: 429, wait: '10' },
      text: expect.stringContaining('you have 3 open streams at this process'),
    })
    const site = Array.from({ length: 200 }, (_, i) => ask(`2001:db8:1:${i.toString(16)}::1`))
    expect(countOpen(await Promise.all(site))).toBe(48)
    expect((await ask('10.0.0.2')).status).toBe(200)
    stop.abort()
    await until(async () => {
      const again = new AbortController()
      const { status } = await ask('10.0.0.1', again.signal)
      again.abort()
      expect(status).toBe(200)
    })
  })
})
