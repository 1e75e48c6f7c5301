import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeAll, GO_PATH, message, PATH, setUp } from '../testing/app.ts'

afterEach(closeAll)

const BODY = `{"messages":[${'1,'.repeat(2_500_000)}1]}`
/** Paths for probes and people, which have no limit. */
const OPEN = ['/', '/health', '/metrics']

/** Starts the service on a port, with a limit and an API key. */
async function start(rateLimitPerMinute: number) {
  const service = await setUp({ configuration: { rateLimitPerMinute, apiKeys: ['right'] } })
  const url = await service.server.listen({ port: 0, host: '127.0.0.1' })
  return { ...service, url }
}

/** Counts the characters of bodies that something parses. */
function countParsed() {
  const parse = vi.spyOn(JSON, 'parse')
  return () => {
    const characters = parse.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
    parse.mockRestore()
    return characters
  }
}

describe('a caller beyond its limit', () => {
  it('is refused at every route before its body is read', async () => {
    const { server, url } = await start(1)
    const { paths } = (await server.inject({ url: '/openapi.json' })).json() as {
      paths: Record<string, Record<string, unknown>>
    }
    const shots = Object.entries(paths)
      .filter(([path]) => !OPEN.includes(path))
      .flatMap(([path, methods]) => [...Object.keys(methods), 'put'].map((method) => ({ path, method })))
    expect(shots.length).toBeGreaterThan(20)
    const toText = vi.spyOn(Buffer.prototype, 'toString')
    const parsed = countParsed()
    for (const { path, method } of [...shots, { path: '/nothing', method: 'post' }]) {
      const init = { method: method.toUpperCase(), ...(method === 'get' ? {} : { body: BODY }) }
      const { status } = await fetch(url + path.replace(/\{\w+\}/g, '1'), init)
      expect([method, path, status]).toEqual([method, path, 429])
    }
    expect(parsed()).toBeLessThan(BODY.length)
    const longest = Math.max(...toText.mock.contexts.map((buffer) => (buffer as Buffer).length))
    toText.mockRestore()
    expect(longest).toBeLessThan(BODY.length)
  })

  it('is refused before it sends the body that it announces', async () => {
    const { url } = await start(1)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n`)
    await once(socket, 'data')
    socket.write(`POST ${GO_PATH} HTTP/1.1\r\nhost: a\r\ncontent-length: 5000000\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 429 /)
    socket.destroy()
  })
})

describe('the size of a body', () => {
  const headers = { 'x-data-api-key': 'right' }
  const bodyOf = (length: number) => `{"message":"${message}"${' '.repeat(length)}}`
  const left = (response: Response) => Number(response.headers.get('ratelimit-remaining'))

  it.each([PATH, GO_PATH])('counts as it is stated at %s', async (path) => {
    const { url } = await start(100)
    const small = await fetch(url + path, { method: 'POST', headers, body: bodyOf(0) })
    expect([small.status, left(small)]).toEqual([200, 99])
    const large = await fetch(url + path, { method: 'POST', headers, body: bodyOf(9 * 65_536) })
    expect([large.status, left(large)]).toEqual([200, 89])
  })

  it.each([PATH, GO_PATH])('counts as it arrives at %s if it is not stated', async (path) => {
    const { url } = await start(12)
    const send = (length: number) => {
      const init = { method: 'POST', headers, body: new Blob([bodyOf(length)]).stream(), duplex: 'half' }
      return fetch(url + path, init as RequestInit)
    }
    const first = await send(9 * 65_536)
    expect([first.status, left(first)]).toEqual([200, 2])
    expect((await send(65_536 * 4)).status).toBe(429)
  })

  it('counts once if it is too large to be read', async () => {
    const { url } = await start(100)
    const large = await fetch(url + PATH, { method: 'POST', headers, body: bodyOf(6_000_000) })
    expect([large.status, left(large)]).toEqual([413, 99])
  })
})

it('limits all networks of an IPv6 /48 together', async () => {
  const { server } = await setUp({ configuration: { rateLimitPerMinute: 1, proxies: 1 } })
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) {
    const headers = { 'x-forwarded-for': `2001:db8:0:${i}::1` }
    statuses.push((await server.inject({ url: '/nothing', headers })).statusCode)
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
})
