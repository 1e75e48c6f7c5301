import { connect } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { createAccess } from './Access.ts'
import { defineStream } from './Endpoint.ts'
import { serverOptions } from './Front.ts'
import * as Schema from './Schema.ts'
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
    ...{ path: '/endless', operationId: 'endless', summary: 'Texts', tag: 'EVM', scope: 'data', units: 1 },
    ...{
      pathParameters: {},
      queryParameters: {},
      response: Schema.text('Texts', 'x'),
      open,
      openSocket: open,
    },
  })
  const server = fastify(serverOptions) as unknown as FastifyInstance
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
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), { timeout: 20_000 })
  socket.destroy()
  await server.close()
})

test('closes the WebSocket of a reader that accepts no data, and says why', async () => {
  const ended = vi.fn()
  const { server, port } = await serve(ended)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/endless`)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('open', () => socket.pause())
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), { timeout: 20_000 })
  socket.resume()
  // The reason arrives after the data that was sent before, if the reader begins to read within a second.
  expect([1013, 1006]).toContain(await closed)
  await server.close()
})
