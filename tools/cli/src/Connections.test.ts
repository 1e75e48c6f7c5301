import { get } from 'node:http'
import { openRaw, type RawClient, type RawOptions } from '@firn/http/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { largestConsoleAsset } from './testing/landing.ts'
import { type LimitedServer, type Limits, startLimited } from './testing/limitedServers.ts'

/** Every server that listens, by name. A further server needs a line here and in `startLimited`. */
const NAMES = [
  ...[
    'data api',
    'metrics api',
    'aggregator',
    'aggregator metrics',
    'node api',
    'gateway',
    'indexer monitor',
  ],
] as const

const SHORT = 300
const PER_ADDRESS = 40
const LIMITS: Limits = {
  ...{ headersMs: SHORT, readMs: SHORT, idleMs: SHORT, unreadMs: SHORT, lingerMs: SHORT },
  ...{ connections: 100, connectionsPerAddress: PER_ADDRESS },
}
/** Address of hostile clients. Only Linux has all loopback addresses without configuration. */
const HOSTILE = process.platform === 'linux' ? '127.0.0.9' : '127.0.0.1'

const LARGE = await largestConsoleAsset()

const closers: (() => unknown)[] = []
const clients: RawClient[] = []
const servers = new Map<string, LimitedServer>()
beforeAll(async () => {
  const own = (closing: { close(): unknown }) => void closers.push(() => closing.close())
  for (const server of await startLimited(LIMITS, own)) servers.set(server.name, server)
})
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const serverOf = (name: string): LimitedServer => {
  const server = servers.get(name)
  if (server === undefined) throw new Error(`no server ${name}`)
  return server
}

/** Opens connections of a hostile client, which never closes them. */
const attack = async (
  { url }: LimitedServer,
  count: number,
  options: RawOptions,
): Promise<readonly RawClient[]> => {
  const port = Number(new URL(url).port)
  const opened = await Promise.all(
    Array.from({ length: count }, () => openRaw(port, { from: HOSTILE, ...options })),
  )
  clients.push(...opened)
  return opened
}

/** Requests a page on a separate connection, as a normal caller does. */
const ask = (url: string): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent: false, headers: { connection: 'close' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
  })

/** Returns the value of a metric of connections; 0 if it is missing. */
const metric = async (
  { metrics: { url, prefix, listener } }: LimitedServer,
  name: string,
  reason?: string,
) => {
  const { text } = await ask(url)
  const labels = `listener="${listener}"${reason === undefined ? '' : `,reason="${reason}"`}`
  return Number(new RegExp(`^${prefix}_${name}\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Resolves when the server has closed all connections except for the request for its metrics. */
const allClosed = (server: LimitedServer) =>
  expect.poll(() => metric(server, 'connections'), { interval: 200 }).toBe(1)

const HEAD = 'Host: localhost\r\n'
const upgrade = (to: string, path = '/nothing', more = '') =>
  `${more === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: ${to}\r\n${more}\r\n`

const HELD: Readonly<Record<string, RawOptions>> = {
  'a refused upgrade to a WebSocket': { text: upgrade('websocket') },
  'an upgrade to HTTP/2': { text: upgrade('h2c') },
  'an unknown upgrade': { text: upgrade('nothing/1') },
  'an upgrade at the root path': { text: upgrade('websocket', '/') },
  'an upgrade with a slow body': {
    text: upgrade('websocket', '/nothing', 'Content-Length: 100000\r\n'),
    drip: ' ',
  },
  'a CONNECT request': { text: `CONNECT example.org:443 HTTP/1.1\r\n${HEAD}\r\n` },
  'nothing at all': {},
  'slow headers': { text: `GET / HTTP/1.1\r\n${HEAD}X-a: `, drip: 'a' },
  'a slow body': {
    text: `POST / HTTP/1.1\r\n${HEAD}content-type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    drip: ' ',
  },
  'a slow body of a JSON-RPC request': {
    text: `POST /ext/bc/P HTTP/1.1\r\n${HEAD}content-type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    drip: ' ',
  },
  'a slow body of a request to a chain': {
    text: `POST /rpc/43112 HTTP/1.1\r\n${HEAD}content-type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    drip: ' ',
  },
  'a slow body of a message': {
    text: `POST /v1/signatureAggregator/local/aggregateSignatures HTTP/1.1\r\n${HEAD}content-type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    drip: ' ',
  },
  'a body that stops after 100-continue': {
    text: `POST / HTTP/1.1\r\n${HEAD}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  },
  'a connection that is kept alive': { text: `GET /nothing HTTP/1.1\r\n${HEAD}\r\n` },
}

describe.each(NAMES)('%s', (name) => {
  test('closes the connections of clients that never close them', async () => {
    const server = serverOf(name)
    const held = Object.entries(HELD).map(async ([kind, options]) => {
      for (const { ended } of await attack(server, 2, options)) await ended
      return kind
    })
    expect(await Promise.all(held)).toEqual(Object.keys(HELD))
    await allClosed(server)
  })

  test('closes connections of clients that do not read their answers', async () => {
    const server = serverOf(name)
    const text = `GET /console/${LARGE} HTTP/1.1\r\n${HEAD}\r\n`.repeat(110)
    await attack(server, 2, { text, isReading: false })
    await expect.poll(() => metric(server, 'refused_connections_total', 'unread')).toBe(2)
    await allClosed(server)
  })

  test.skipIf(process.platform !== 'linux')(
    'refuses connections beyond the limit of an address, and serves a normal caller meanwhile',
    async () => {
      const server = serverOf(name)
      const before = await metric(server, 'refused_connections_total', 'address')
      const opened = await attack(server, 100, { text: `GET / HTTP/1.1\r\n${HEAD}X-a: ` })
      expect((await ask(server.url)).status).toBe(200)
      await expect
        .poll(() => metric(server, 'refused_connections_total', 'address'))
        .toBe(before + 100 - PER_ADDRESS)
      await expect
        .poll(() => opened.filter(({ text }) => /^HTTP\/1.1 503 .*\r\nRetry-After: /s.test(text())).length)
        .toBeGreaterThan(0)
      await allClosed(server)
    },
  )
})

test('covers every server', () => {
  expect([...servers.keys()].sort()).toEqual([...NAMES].sort())
})
