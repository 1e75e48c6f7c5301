import { recordedEvmStore } from '@firn/evm-store/testing'
import { type Collector, traceProcess } from '@firn/tracing/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataApi } from './service/Service.ts'

let collector: Collector
beforeAll(async () => {
  collector = await traceProcess()
})
afterAll(() => collector.close())

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'

test('traces a request to its statements, without values', async () => {
  const store = await recordedEvmStore('l1')
  const service = await createDataApi({
    chains: [{ store, nodes: [] }],
    host: '127.0.0.1',
    port: 0,
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 600_000,
    version: '0',
  })
  const address = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
  const headers = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` }
  const path = `/v1/chains/${store.chainId}/addresses/${address}/transactions`
  const response = await fetch(`${service.url}${path}?pageSize=2`, { headers })
  await response.text()
  expect(response.status).toBe(200)
  const trace = await collector.traceOf(({ parentSpanId }) => parentSpanId === SPAN_ID, 3)
  const request = trace.find(({ kind }) => kind === 2)
  expect(request).toMatchObject({
    name: 'GET /v1/chains/:chainId/addresses/:address/transactions',
    traceId: TRACE_ID,
    attributes: { 'firn.request_id': response.headers.get('x-request-id') },
  })
  const statements = trace.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements).toHaveLength(trace.length - 1)
  for (const { attributes } of statements) {
    expect(attributes['db.query.text']).toMatch(/^\(?(?:select|with) /)
    expect(attributes['db.response.returned_rows']).toBeTypeOf('number')
  }
  expect(JSON.stringify(trace)).not.toContain(address.slice(2))
  await service.close()
})
