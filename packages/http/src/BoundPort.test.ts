import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import * as BoundPort from './BoundPort.ts'
import * as Connections from './connections/Connections.ts'

const HOST = '127.0.0.1'
const LIMITS = { connections: Connections.create({ service: 'test', prefix: 'test' }), listener: 'api' }
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const bind = async (port = 0, flag = '--port') => {
  const bound = await BoundPort.bind({ host: HOST, port, flag })
  closers.push(() => bound.close())
  return bound
}

const server = (text: string) => {
  const created = createServer((_request, response) => response.end(text))
  closers.push(() => new Promise((closed) => created.close(closed)))
  return created
}

/** Resolves to true if the port refuses a connection, and to false if it accepts one. */
const isRefused = (port: number) =>
  new Promise<boolean>((settle) => {
    const socket = connect(port, HOST)
    socket.on('connect', () => settle(false) ?? socket.destroy())
    socket.on('error', () => settle(true))
  })

describe('BoundPort.bind', () => {
  it('answers 503 with retry-after until a server takes over the port', async () => {
    const bound = await bind()
    const early = await fetch(`${bound.url}/health`)
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await early.json()).toEqual({
      status: 'starting',
      message: 'This service is starting. Try again in a second.',
    })
    await bound.serve(server('ready'), LIMITS)
    const later = await fetch(bound.url)
    expect([later.status, await later.text()]).toEqual([200, 'ready'])
  })

  it('refuses no connection during the handover of the port to a server', async () => {
    const bound = await bind()
    const statuses = new Set<number>()
    let isDone = false
    const load = (async () => {
      while (!isDone) statuses.add((await fetch(bound.url)).status)
    })()
    await expect.poll(() => statuses.size).toBe(1)
    await bound.serve(server('ready'), LIMITS)
    await expect.poll(() => statuses.has(200)).toBe(true)
    isDone = true
    await load
    expect([...statuses]).toEqual([503, 200])
  })

  it.each(['0.0.0.0', ''])('returns the loopback URL for the wildcard address %j', async (host) => {
    const bound = await BoundPort.bind({ host, port: 0, flag: '--port' })
    closers.push(() => bound.close())
    expect(bound.url).toBe(`http://127.0.0.1:${bound.port}`)
    expect((await fetch(bound.url)).status).toBe(503)
  })

  it("mentions the port's flag in the error if the port is in use", async () => {
    const taken = createTcpServer().listen(0, HOST)
    closers.push(() => taken.close())
    await new Promise((ready) => taken.once('listening', ready))
    const { port } = taken.address() as AddressInfo
    await expect(bind(port, '--http-port')).rejects.toMatchObject({
      code: 'HTTP_PORT',
      message: `Port ${port} at 127.0.0.1 is in use. Pass --http-port <port>, or stop the process that listens on it.`,
    })
  })

  it('mentions the address flag in the error if the address does not belong to this machine', async () => {
    const options = { host: '203.0.113.7', port: 0, flag: '--http-port', hostFlag: '--http-host' }
    await expect(BoundPort.bind(options)).rejects.toMatchObject({
      code: 'HTTP_PORT',
      message: '203.0.113.7 is not an address of this machine. Pass --http-host <address>.',
    })
  })

  it('frees the port when the bound port is closed', async () => {
    const bound = await bind()
    const idle = connect(bound.port, HOST)
    await new Promise((connected) => idle.once('connect', connected))
    idle.on('error', () => undefined)
    await bound.close()
    expect(await isRefused(bound.port)).toBe(true)
    idle.destroy()
  })

  it('keeps the port open on close if a server has taken it over', async () => {
    const bound = await bind()
    const ready = server('ready')
    await bound.serve(ready, LIMITS)
    await bound.close()
    expect(await (await fetch(bound.url)).text()).toBe('ready')
    ready.closeAllConnections()
    await new Promise((closed) => ready.close(closed))
    expect(await isRefused(bound.port)).toBe(true)
  })
})

describe('BoundPort.bindAll', () => {
  it('binds no port if one of them is in use', async () => {
    const taken = await bind()
    const free = await bind()
    await free.close()
    const all = BoundPort.bindAll({
      first: { host: HOST, port: free.port, flag: '--first' },
      second: { host: HOST, port: taken.port, flag: '--second' },
    })
    await expect(all).rejects.toMatchObject({ message: expect.stringContaining('Pass --second <port>') })
    expect(await isRefused(free.port)).toBe(true)
  })

  it('rejects two flags with the same port', async () => {
    const all = BoundPort.bindAll({
      data: { host: HOST, port: 8_700, flag: '--port' },
      metrics: { host: HOST, port: 8_700, flag: '--metrics-port' },
    })
    await expect(all).rejects.toMatchObject({
      message: '--port and --metrics-port are both 8700. Pass a different port to one of them.',
    })
  })
})

describe('BoundPort.use', () => {
  const options = { host: HOST, flag: '--port' }

  it('calls start with the given bound port, or binds the given port number before the call', async () => {
    const bound = await bind()
    expect(await BoundPort.use(bound, options, async ({ port }) => port)).toBe(bound.port)
    const other = await BoundPort.use(0, options, async (given) => given)
    closers.push(() => other.close())
    expect((await fetch(other.url)).status).toBe(503)
  })

  it('frees the port if start fails', async () => {
    const bound = await bind()
    const start = () => Promise.reject(new RangeError('no database'))
    await expect(BoundPort.use(bound, options, start)).rejects.toThrow('no database')
    expect(await isRefused(bound.port)).toBe(true)
  })
})
