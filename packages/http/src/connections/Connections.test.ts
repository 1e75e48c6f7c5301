import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import * as BoundPort from '../BoundPort.ts'
import { openRaw, type RawClient, type RawOptions } from '../testing/rawClient.ts'
import type { ConnectionLimits } from './ConnectionLimits.ts'
import * as Connections from './Connections.ts'
import * as SocketEnd from './SocketEnd.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Options = Partial<ConnectionLimits> &
  Omit<Connections.ConnectionsOptions, 'service' | 'prefix' | 'limits'>

/** Starts a server with limits; checks run every 10 ms. */
const start = async (
  options: Options,
  handler: RequestListener = (_request, response) => response.end('ok'),
) => {
  const registry = new Registry()
  const { isBanned, descriptors, proxies, ...limits } = options
  const given = { isBanned, descriptors, proxies }
  const own = { service: 'test', prefix: 'test', checkMs: 10, registry }
  const connections = Connections.create({ ...own, ...(given as object), limits })
  const server = createServer({ connectionsCheckingInterval: 10 }, handler)
  const port = await BoundPort.bind({ host: '127.0.0.1', port: 0, flag: '--port' })
  await port.serve(server, { connections, listener: 'api' })
  closers.push(
    () => new Promise((closed) => server.close(closed)),
    () => server.closeAllConnections(),
  )
  const open = async (given: RawOptions = {}): Promise<RawClient> => {
    const client = await openRaw(port.port, given)
    closers.push(() => client.socket.destroy())
    return client
  }
  const counted = async (reason: string) => {
    const { values = [] } = (await registry.getSingleMetric('test_refused_connections_total')?.get()) ?? {}
    return values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0
  }
  return { server, open, counted, registry, url: port.url }
}

const connected = (server: TcpServer) =>
  new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('limits of the number of connections', () => {
  it('answers connections beyond the limit of an address with 503, and serves other addresses', async () => {
    const { server, open, counted } = await start({ connectionsPerAddress: 2 })
    await Promise.all([open(), open()])
    await expect.poll(() => connected(server)).toBe(2)
    const refused = await open({ text: REQUEST })
    await refused.ended
    expect(refused.text()).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 5\r\nConnection: close\r\n/s)
    // The refused connection is closed, although its client keeps it open.
    await expect.poll(() => connected(server)).toBe(2)
    const other = await open({ from: '127.0.0.2', text: REQUEST })
    await expect.poll(() => other.text()).toMatch(/^HTTP\/1.1 200 OK/)
    expect([await counted('address'), await counted('total')]).toEqual([1, 0])
  })

  it('never passes a request of a refused connection to the server', async () => {
    const urls: unknown[] = []
    const { open } = await start({ connections: 1 }, (request, response) => {
      urls.push(request.url)
      response.end()
    })
    const first = await open({ text: REQUEST })
    await expect.poll(() => first.text()).toMatch(/^HTTP/)
    await (await open({ text: REQUEST.replace('/', '/refused') })).ended
    expect(urls).toEqual(['/'])
  })

  it('leaves at least half of all connections to other addresses', async () => {
    const { server, open } = await start({ connections: 4, connectionsPerAddress: 100 })
    await Promise.all([open(), open()])
    await expect.poll(() => connected(server)).toBe(2)
    await (await open({ text: REQUEST })).ended
    const other = await open({ from: '127.0.0.2', text: REQUEST })
    await expect.poll(() => other.text()).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it('counts a connection until it ends', async () => {
    const { server, open, registry } = await start({ connectionsPerAddress: 1 })
    const first = await open()
    await expect.poll(() => connected(server)).toBe(1)
    expect(await registry.metrics()).toContain('test_connections{listener="api"} 1')
    first.socket.destroy()
    await expect.poll(() => connected(server)).toBe(0)
    const second = await open({ text: REQUEST })
    await expect.poll(() => second.text()).toMatch(/^HTTP\/1.1 200 OK/)
  })

  it('closes idle connections once no further connection fits', async () => {
    const { open } = await start({ connections: 1 })
    const idle = await open({ text: REQUEST })
    await expect.poll(() => idle.text()).toMatch(/^HTTP/)
    const refused = await open({ text: REQUEST })
    await refused.ended
    await idle.ended
    await expect
      .poll(async () => {
        const next = await open({ text: REQUEST })
        await expect.poll(() => next.text()).toMatch(/^HTTP/)
        return next.text()
      })
      .toMatch(/^HTTP\/1.1 200 OK/)
  })

  it('counts connections of trusted proxies only in total', async () => {
    const { server, open, counted } = await start({ connections: 3, connectionsPerAddress: 1, proxies: 1 })
    await Promise.all([open(), open(), open()])
    await expect.poll(() => connected(server)).toBe(3)
    await (await open({ text: REQUEST })).ended
    expect([await counted('address'), await counted('total')]).toEqual([0, 1])
  })

  it('keeps a share of the file descriptors of the process free', async () => {
    const { open, counted } = await start({ descriptors: { capacity: () => 2, held: 2 } })
    await (await open({ text: REQUEST })).ended
    expect(await counted('descriptors')).toBe(1)
  })

  it('refuses connections of banned addresses', async () => {
    const { open, counted } = await start({ isBanned: ([{ key }]) => key === '127.0.0.3' })
    await (await open({ from: '127.0.0.3', text: REQUEST })).ended
    const other = await open({ text: REQUEST })
    await expect.poll(() => other.text()).toMatch(/^HTTP\/1.1 200 OK/)
    expect(await counted('banned')).toBe(1)
  })

  it('survives a failure to accept a connection', async () => {
    const { server, counted, url } = await start({})
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    expect([await counted('descriptors'), (await fetch(url)).status]).toEqual([1, 200])
  })
})

describe('limits of time', () => {
  it.each<[string, RawOptions]>([
    ['sends nothing', {}],
    ['sends its headers slowly', { text: 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ', drip: 'a' }],
    [
      'sends its body slowly',
      { text: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n', drip: 'a' },
    ],
    ['stops within its body', { text: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\na' }],
    [
      'sends chunks slowly',
      { text: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', drip: '1\r\na\r\n' },
    ],
    [
      'expects 100-continue and stops',
      { text: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n' },
    ],
    ['sends no further request', { text: REQUEST }],
  ])('closes the connection of a client that %s', async (_name, options) => {
    const { open, server } = await start(
      { headersMs: 100, readMs: 100, idleMs: 100 },
      (request, response) => {
        request.resume().on('end', () => response.end('ok'))
      },
    )
    const client = await open(options)
    await client.ended
    await expect.poll(() => connected(server)).toBe(0)
  })

  // A client that reads slowly has ten times as long, which is longer than this test waits.
  it('closes a connection whose client does not read its answer', async () => {
    const { open, server, counted } = await start({ unreadMs: 4_000 }, (_request, response) => {
      response.end(Buffer.alloc(20_000_000))
    })
    await open({ text: REQUEST, isReading: false })
    await expect.poll(() => counted('unread')).toBe(1)
    await expect.poll(() => connected(server)).toBe(0)
  })

  it('closes the connection of a client that does not read an answer to which the server still writes', async () => {
    const { open, server } = await start({ unreadMs: 20 }, (_request, response) => {
      response.write(Buffer.alloc(20_000_000))
      const timer = setInterval(() => response.write(':\n'), 5)
      response.on('close', () => clearInterval(timer))
    })
    await open({ text: REQUEST, isReading: false })
    await expect.poll(() => connected(server)).toBe(0)
  })

  it('limits the bytes that all clients together do not read', async () => {
    const { open, server } = await start({ unreadBytes: 30_000_000 }, (_request, response) => {
      response.end(Buffer.alloc(20_000_000))
    })
    await Promise.all([1, 2, 3, 4].map(() => open({ text: REQUEST, isReading: false })))
    await expect.poll(() => connected(server)).toBe(1)
  })

  it('sends a large answer to a client that reads it in time', async () => {
    const { url } = await start({ unreadMs: 5_000 }, (_request, response) =>
      response.end(Buffer.alloc(20_000_000)),
    )
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(20_000_000)
  })

  it('handles 16 requests at once of a client that sends further ones before it has answers, and keeps 100', async () => {
    const begun: (() => void)[] = []
    const { open, counted } = await start({}, (_request, response) => begun.push(() => response.end('ok')))
    const client = await open({ text: REQUEST.repeat(200) })
    await expect.poll(() => begun.length).toBe(16)
    expect(await counted('pipelined')).toBe(1)
    for (let i = 0; i < 116; i++) {
      await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(i)
      begun[i]?.()
    }
    await client.ended
    expect(client.text().match(/HTTP\/1.1 \d+/g)).toEqual([
      ...Array(116).fill('HTTP/1.1 200'),
      'HTTP/1.1 503',
    ])
    expect(begun.length).toBe(116)
  })

  it('ends a connection on which requests keep coming that it has refused', async () => {
    const begun: unknown[] = []
    const { open, server, counted } = await start({}, (request) => begun.push(request))
    const client = await open({ text: REQUEST.repeat(217) })
    await client.ended
    await expect.poll(() => connected(server)).toBe(0)
    expect([begun.length, client.text(), await counted('pipelined')]).toEqual([16, '', 1])
  })

  it('answers any number of requests of a client that waits for each answer', async () => {
    const { open } = await start({})
    const client = await open()
    for (let i = 1; i <= 100; i++) {
      client.socket.write(REQUEST)
      await expect.poll(() => client.text().match(/HTTP\/1.1 200/g)?.length, { interval: 1 }).toBe(i)
    }
  })

  it('closes a connection that the server has ended and the client has not', async () => {
    const { open, server, counted } = await start({ lingerMs: 50 })
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'))
    const client = await open({
      text: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    })
    await client.ended
    await expect.poll(() => counted('half-open')).toBe(1)
    expect(await connected(server)).toBe(0)
  })
})

describe('SocketEnd.send', () => {
  it('sends the last bytes and closes the socket, although the client keeps sending', async () => {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => SocketEnd.send(socket, 'the end'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    closers.push(() => server.close())
    const client = await openRaw((server.address() as { port: number }).port, { text: 'a', drip: 'a' })
    await client.ended
    expect(client.text()).toBe('the end')
    await expect.poll(() => connected(server)).toBe(0)
  })
})
