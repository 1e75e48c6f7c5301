import { randomBytes } from 'node:crypto'
import { openUsage } from '@firn/service-store/testing'
import { type Collector, traceProcess } from '@firn/tracing/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBypassToken } from './admission/BypassTokens.ts'
import { well } from './testing/fakeNode.ts'
import { openGateway } from './testing/gateways.ts'

let collector: Collector
beforeAll(async () => {
  collector = await traceProcess()
})
afterAll(() => collector.close())

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`

test('traces a request to the node that answers it, without the token in its path', async () => {
  const passedOn: (string | string[] | undefined)[] = []
  const usage = await openUsage()
  const token = await createBypassToken(usage, { name: 'me', creditsPerSecond: 5 }, randomBytes, 1)
  const gateway = await openGateway(
    [
      (_body, response) => response.writeHead(500).end(),
      (body, response, request) => {
        passedOn.push(request.headers['traceparent'])
        well(body, response, request)
      },
    ],
    usage,
  )
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0xsecret'] }
  const batch = JSON.stringify([call, { ...call, id: 2, method: 'eth_call' }])
  const { status } = await gateway.post(batch, {
    path: `/rpc/43114/${token}`,
    headers: { traceparent: TRACEPARENT },
  })
  expect(status).toBe(200)
  const isAttempt = ({ name }: { name: string }) => name === 'batch'
  const trace = await collector.traceOf(({ traceId }) => traceId === TRACE_ID, 5)
  const request = trace.find(({ name }) => name === 'POST /rpc/43114')
  const attempts = trace.filter(isAttempt)
  expect(attempts.map(({ attributes }) => attributes['firn.outcome']).sort()).toEqual(['ok', 'unavailable'])
  for (const { parentSpanId, attributes } of attempts) {
    expect(parentSpanId).toBe(request?.spanId)
    expect(attributes['rpc.method']).toBe('eth_getBalance eth_call')
  }
  const answered = attempts.find(({ isFailed }) => !isFailed)
  expect(passedOn).toEqual([`00-${TRACE_ID}-${answered?.spanId}-01`])
  for (const hidden of ['secret', token]) expect(JSON.stringify(trace)).not.toContain(hidden)
  await gateway.close()
  await Promise.all(gateway.nodes.map(({ close }) => close()))
  await usage.close()
})
