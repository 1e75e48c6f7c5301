import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeAll, GO_PATH, message, PATH, setUp } from '../testing/app.ts'

const LIMIT = 5 * 1024 * 1024

let service: Awaited<ReturnType<typeof setUp>>
let url: string
beforeAll(async () => {
  service = await setUp()
  url = await service.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(closeAll)

/** Returns a body of exactly `length` bytes. */
function bodyOf(length: number): string {
  const start = `{"message":"${message}"`
  return `${start}${' '.repeat(length - start.length - 1)}}`
}

/** Opens a connection and starts a request with a body of `length` bytes. */
async function start(length: number) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write(`POST ${GO_PATH} HTTP/1.1\r\nhost: firn\r\ncontent-length: ${length}\r\n\r\n`)
  return { socket, received: () => received }
}

describe('size of a body', () => {
  it.each([PATH, GO_PATH])('reads 5 MiB at %s', async (path) => {
    const { status } = await fetch(url + path, { method: 'POST', body: bodyOf(LIMIT) })
    expect(status).toBe(200)
  })

  it.each([PATH, GO_PATH])('answers 413 to a larger body at %s', async (path) => {
    for (const body of [bodyOf(LIMIT + 1), new Blob([bodyOf(3 * LIMIT)]).stream()]) {
      const init = { method: 'POST', body, duplex: 'half' }
      const response = await fetch(url + path, init as RequestInit)
      const { message: text, error } = (await response.json()) as Record<string, string>
      expect([response.status, path === PATH ? text : error]).toEqual([
        413,
        `body: expected at most ${LIMIT} bytes`,
      ])
    }
  })

  it('answers 413 to a client that has only announced its body', async () => {
    const { socket, received } = await start(LIMIT + 1)
    await once(socket, 'data')
    expect(received()).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  it('lets a client finish sending before it reads the answer', async () => {
    const length = 4 * LIMIT
    const { socket, received } = await start(length)
    socket.pause()
    const chunk = Buffer.alloc(LIMIT / 4, ' ')
    // The connection would fail here if the server had closed it.
    for (let sent = 0; sent < length; sent += chunk.length) {
      if (!socket.write(chunk)) await once(socket, 'drain')
    }
    // The connection is still usable.
    socket.write('GET /nothing HTTP/1.1\r\nhost: firn\r\nconnection: close\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    expect(received().match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404'])
  })
})

describe('content type', () => {
  it.each(['', 'x', ';;', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    'is ignored: %j',
    async (type) => {
      for (const path of [PATH, GO_PATH]) {
        const response = await service.post(JSON.stringify({ message }), {
          url: path,
          headers: { 'content-type': type },
        })
        expect(response.status).toBe(200)
      }
    },
  )
})
