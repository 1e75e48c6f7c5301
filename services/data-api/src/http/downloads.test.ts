import { connect } from 'node:net'
import { TrustedProxies } from '@firn/http'
import { until } from '@firn/runtime/testing'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { createAccess } from './admission/Access.ts'
import { createMemoryCounters } from './admission/RateLimit.ts'
import { defineDownload } from './endpoint/Download.ts'
import * as Schema from './endpoint/Schema.ts'
import { restPlugin, serverOptions } from './RestPlugin.ts'

const PARTS = 64
const PART = new Uint8Array(1_048_576)
const open: FastifyInstance[] = []
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.server.closeAllConnections()
    await server.close()
  }
})

/** Serves a file of 64 MiB that costs 65 units, to at most 4 callers at once. */
async function serve() {
  let [read, ended] = [0, 0]
  async function* parts() {
    try {
      for (let i = 0; i < PARTS; i++) {
        read += 1
        yield PART
      }
    } finally {
      ended += 1
    }
  }
  const download = defineDownload({
    ...{
      path: '/file',
      operationId: 'file',
      summary: 'A file',
      tag: 'EVM',
      scope: 'data',
      units: 1,
      places: 4,
    },
    ...{
      pathParameters: {},
      queryParameters: {},
      mediaType: 'text/csv',
      response: Schema.text('A file', 'x'),
    },
    open: async () => ({
      ...{ contentType: 'text/csv', name: 'file', size: PARTS * PART.length, units: PARTS, parts: parts() },
    }),
  })
  const allowance = { unitsPerMinute: 1_000, unitsPerDay: 100_000, streams: 2 }
  const access = createAccess({
    ...{
      keys: async () => [],
      counters: createMemoryCounters(() => 0),
      anonymous: allowance,
      keyed: allowance,
    },
    trusted: TrustedProxies.create({ proxies: 1 }),
  })
  const server: FastifyInstance = fastify(serverOptions)
  open.push(server)
  const served = { title: 'Test', version: '0', endpoints: [], downloads: [download], timeoutMs: 600_000 }
  await server.register(restPlugin({ ...served, access }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  return { port, url: `http://127.0.0.1:${port}/file`, read: () => read, ended: () => ended }
}

/** Asks for the file, and reads nothing but the status of the answer. */
function askUnread(port: number, address: string) {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.write(`GET /file HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`)
  const status = new Promise<string>((resolve) => {
    socket.once('data', (data) => {
      socket.pause()
      resolve(String(data).slice(9, 12))
    })
  })
  return { socket, status }
}

describe('large downloads', () => {
  test('that nobody reads are limited by caller and in total, and hold little', async () => {
    const { port, read } = await serve()
    const greedy = Array.from({ length: 50 }, () => askUnread(port, '10.0.0.1'))
    const statuses = await Promise.all(greedy.map(({ status }) => status))
    expect(statuses.filter((status) => status === '200')).toHaveLength(2)
    expect(statuses.filter((status) => status === '429')).toHaveLength(48)
    const others = ['10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => askUnread(port, address))
    expect(await Promise.all(others.map(({ status }) => status))).toEqual(['200', '200', '200'])
    expect(read()).toBeLessThan(PARTS)
    for (const { socket } of [...greedy, ...others]) socket.destroy()
  })

  test('cost units for their size, and are whole', async () => {
    const { url, ended } = await serve()
    const response = await fetch(url, { headers: { 'x-forwarded-for': '10.0.0.1' } })
    expect(response.headers.get('x-compute-units')).toBe('65')
    expect((await response.arrayBuffer()).byteLength).toBe(PARTS * PART.length)
    await until(() => expect(ended()).toBe(1))
  })

  test('are not read for HEAD', async () => {
    const { url, read } = await serve()
    const response = await fetch(url, { method: 'HEAD', headers: { 'x-forwarded-for': '10.0.0.1' } })
    expect([response.status, response.headers.get('content-length')]).toEqual([
      200,
      String(PARTS * PART.length),
    ])
    expect(read()).toBe(0)
  })
})
