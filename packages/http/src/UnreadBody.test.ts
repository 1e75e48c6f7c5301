import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as UnreadBody from './UnreadBody.ts'

const MEGABYTE = Buffer.alloc(1_048_576, ' ')

let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    UnreadBody.discard(request)
    response.writeHead(429).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** Sends a request with a body of so many megabytes, and another request behind it. Returns the statuses. */
async function send(megabytes: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${megabytes * MEGABYTE.length}\r\n\r\n`)
  for (let sent = 0; sent < megabytes && !socket.destroyed; sent++)
    if (!socket.write(MEGABYTE)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  await closed
  return received.match(/HTTP\/1.1 \d+/g)
}

it('lets a client finish sending a body that is not read, and keeps its connection', async () => {
  expect(await send(30)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 429'])
})

it('closes the connection of a client that continues to send', async () => {
  expect((await send(100))?.length).toBe(1)
})
