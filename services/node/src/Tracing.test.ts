import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call, post } from '@firn/node-api/testing'
import { type Collector, traceProcess } from '@firn/tracing/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReplica } from './testing/replica.ts'

let collector: Collector
beforeAll(async () => {
  collector = await traceProcess()
})
afterAll(() => collector.close())

test('traces a request to its statements, and a forwarded request to the upstream', async () => {
  const passedOn: (string | string[] | undefined)[] = []
  const upstream = createServer((request, response) => {
    passedOn.push(request.headers['traceparent'])
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const replica = await startReplica({ configuration: { upstream: [url] } })
  await call(replica.url, '/ext/bc/P', 'platform.getBlockByHeight', { height: 3 })
  const trace = await collector.traceOf(({ name }) => name === 'POST /ext/bc/P', 2)
  const request = trace.find(({ kind }) => kind === 2)
  const statements = trace.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.length).toBeGreaterThan(0)
  for (const { name, attributes } of statements) {
    expect(name).toBe('SQL select')
    expect(attributes['db.query.text']).toMatch(/^select .* from /)
  }

  const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  expect((await post(replica.url, '/ext/bc/C/rpc', body)).body).toContain('"0x1"')
  const forwarded = await collector.traceOf(({ name }) => name === 'POST /ext/bc/C/rpc', 2)
  const sent = forwarded.find(({ kind }) => kind === 3)
  expect(sent?.attributes['server.address']).toBe(new URL(url).host)
  expect(passedOn).toContain(`00-${sent?.traceId}-${sent?.spanId}-01`)
  await replica.close()
  upstream.close()
})
