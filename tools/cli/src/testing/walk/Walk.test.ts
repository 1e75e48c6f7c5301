import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createBareServer } from './bareServer.ts'
import type { Door } from './Door.ts'
import type { Meter } from './Meter.ts'
import { walk } from './Walk.ts'
import { send } from './Wire.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

const listen = async (server: Server): Promise<string> => {
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const BODY_BYTES = 2 ** 20

/**
 * Walks over the only route of a server, and returns the problems by request. A server that does not answer for
 * `patienceMs` milliseconds is said to wait.
 */
const problemsOf = async (
  listener: RequestListener,
  patienceMs = 60_000,
): Promise<ReadonlyMap<string, string>> => {
  const url = await listen(createServer(listener))
  const bareUrl = await listen(createBareServer())
  const door: Door = {
    ...{ server: 'gateway', url, routes: [{ method: 'POST', path: '/rpc/{chainId}' }], methods: [] },
    ...{ bodyBytes: BODY_BYTES, headerBytes: 2 ** 14, factor: 3, keys: {}, parts: {} },
    ...{ unknownKey: undefined, spentKey: undefined, spending: { method: 'GET', path: '/rpc/43112' } },
  }
  const meter: Meter = {
    ...{ doors: [door], bareUrl, close: async () => undefined },
    async measure(to, sent) {
      const before = process.cpuUsage()
      const received = await send(to, sent, patienceMs)
      await setImmediate()
      const { user, system } = process.cpuUsage(before)
      return { ...received, cpu: user + system }
    },
  }
  const problems = new Map<string, string>()
  await walk(
    meter,
    { isLong: true },
    ({ step, problem }) => {
      if (problem !== undefined) problems.set(`${step.caller}: ${step.name}`, problem)
    },
    ({ route, name }) => route.path === '/rpc/{chainId}' && WALKED.has(name),
  )
  return problems
}

const WALKED = new Set([
  'plain',
  'digits',
  'numbers',
  'body withheld',
  'too large body withheld',
  'body without end',
])

/** Returns a function that returns whether an address has sent more than ten requests. */
const createLimit = () => {
  const counts = new Map<unknown, number>()
  return ({ headers }: IncomingMessage): boolean => {
    const count = (counts.get(headers['x-forwarded-for']) ?? 0) + 1
    counts.set(headers['x-forwarded-for'], count)
    return count > 10
  }
}

/** Reads a body of at most `BODY_BYTES`, and stops at more. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES) return undefined
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answering =
  (respond: (request: IncomingMessage) => Promise<number>): RequestListener =>
  async (request, response) => {
    request.on('error', () => undefined)
    const status = request.url === '/rpc/43112' ? await respond(request).catch(() => 400) : 404
    response.writeHead(status, { connection: 'close' }).end(() => request.destroy())
  }

test('finds no problem of a server that admits, reads, and parses in this order', async () => {
  const isBeyond = createLimit()
  const problems = await problemsOf(
    answering(async (request) => {
      if (isBeyond(request)) return 429
      const text = await readBody(request)
      if (text === undefined) return 413
      parse(text)
      return 200
    }),
  )
  expect([...problems]).toEqual([])
})

test('finds that a body is read before its caller is admitted', async () => {
  const isBeyond = createLimit()
  const problems = await problemsOf(
    answering(async (request) => {
      const text = await readBody(request)
      if (text === undefined) return 413
      return isBeyond(request) ? 429 : 200
    }),
    2_000,
  )
  expect(problems.get('address beyond its limit: body withheld')).toBe('waits for the body')
})

test('finds that a request is served beyond the limit', async () => {
  const problems = await problemsOf(
    answering(async (request) => ((await readBody(request)) === undefined ? 413 : 200)),
    2_000,
  )
  expect(problems.get('address beyond its limit: digits')).toBe('is served beyond the limit')
})

test('finds a validation whose cost is not linear', async () => {
  const isBeyond = createLimit()
  const problems = await problemsOf(
    answering(async (request) => {
      if (isBeyond(request)) return 429
      const text = await readBody(request)
      if (text === undefined) return 413
      const value = parse(text)
      // Copies the list for each of some values.
      if (Array.isArray(value)) for (let count = 0; count < 60; count++) value.slice().reverse()
      return 200
    }),
  )
  expect([...problems]).toEqual([['within limits: numbers', 'too dear']])
})

test('finds that the whole of a body without end is taken', async () => {
  const isBeyond = createLimit()
  const problems = await problemsOf(
    answering(async (request) => {
      if (isBeyond(request)) return 429
      if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES) return 413
      for await (const _ of request);
      return 200
    }),
  )
  expect([...problems].map(([name]) => name)).toEqual(['within limits: body without end'])
})
