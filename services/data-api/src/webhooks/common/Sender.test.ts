import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { systemClock } from '@firn/runtime'
import { afterEach, expect, test } from 'vitest'
import { policyOf } from '../WebhookOptions.ts'
import { createSender } from './Sender.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const body = new TextEncoder().encode('{"a":1}')
const policy = policyOf({ networks: ['127.0.0.1'] })
const send = createSender({ policy, timeoutMs: 300, clock: systemClock })
const never = new AbortController().signal
const post = (url: string) => send({ url, body, headers: { 'content-type': 'application/json' } }, never)

async function listening(server: { listen: Server['listen']; address: Server['address'] }): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

async function http(listener: RequestListener): Promise<string> {
  const server = createHttp(listener)
  closers.push(() => server.close().closeAllConnections())
  return listening(server)
}

/** Starts a server that writes `text` as soon as a connection is open. */
async function raw(text: string): Promise<string> {
  const server = createTcp((socket) => {
    socket.on('error', () => undefined)
    socket.write(text)
  })
  closers.push(() => server.close())
  return listening(server as never)
}

test('posts the body with its headers and length', async () => {
  const seen: unknown[] = []
  const url = await http((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { 'content-type': type, 'content-length': length } = request.headers
      seen.push(request.method, request.url, type, length, Buffer.concat(chunks).toString())
      response.end('thanks')
    })
  })
  expect(await post(url)).toEqual({ status: 200, failure: undefined })
  expect(seen).toEqual(['POST', '/hook', 'application/json', '7', '{"a":1}'])
})

test.each([
  [204, undefined],
  [301, 'redirect'],
  [307, 'redirect'],
  [400, 'http-status'],
  [500, 'http-status'],
])('judges the status %i, and follows no redirect', async (status, failure) => {
  const urls: (string | undefined)[] = []
  const url = await http(({ url }, response) => {
    urls.push(url)
    response.writeHead(status, { location: '/other' }).end()
  })
  expect(await post(url)).toEqual({ status, failure })
  expect(urls).toEqual(['/hook'])
})

test('reports a target that never answers, within the time limit', async () => {
  const url = await http(() => undefined)
  expect(await post(url)).toEqual({ status: undefined, failure: 'timeout' })
})

test('accepts an answer whose body never ends, is larger than memory should be, or lies about its length', async () => {
  const endless = await http((_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    response.on('error', () => undefined)
    more()
  })
  const silent = await http((_request, response) => void response.writeHead(200).write('x'))
  const liar = await raw('HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\nshort')
  const before = process.memoryUsage().rss
  for (const url of [endless, silent, liar])
    expect(await post(url)).toEqual({ status: 200, failure: undefined })
  expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20)
})

test.each(['garbage\r\n\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`])(
  'reports a target that does not speak HTTP, or sends huge headers (%#)',
  async (text) => {
    const { status, failure } = await post(await raw(text))
    expect([status, ['connection', 'timeout'].includes(failure ?? '')]).toEqual([undefined, true])
  },
)

test('reports a closed port', async () => {
  const server = createHttp()
  const url = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await post(url)).toEqual({ status: undefined, failure: 'connection' })
})

test.each([
  ['http://169.254.169.254/latest/meta-data', 'uri-scheme'],
  ['https://10.0.0.1/', 'uri-address'],
  ['https://[::1]/', 'uri-address'],
  ['https://inside.example/', 'uri-address'],
  ['https://rebound.example/', 'uri-address'],
])('never connects to %s', async (url, failure) => {
  const names = { 'inside.example': ['192.168.0.1'], 'rebound.example': ['93.184.215.14', '127.0.0.1'] }
  const guarded = createSender({
    policy: policyOf({ policy: { resolve: async (name) => names[name as keyof typeof names] ?? [] } }),
    timeoutMs: 300,
    clock: systemClock,
  })
  expect(await guarded({ url, body, headers: {} }, never)).toEqual({ status: undefined, failure })
})

test('rejects with the reason of the signal if it aborts', async () => {
  const stop = new AbortController()
  const url = await http(() => stop.abort(new Error('stopped')))
  await expect(send({ url, body, headers: {} }, stop.signal)).rejects.toThrow('stopped')
})
