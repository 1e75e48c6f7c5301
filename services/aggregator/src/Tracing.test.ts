import { Hex, Id, NodeId } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { type Collector, type ReceivedSpan, traceProcess } from '@firn/tracing/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, startService } from './testing/devnet.ts'

let devnet: Devnet
let bench: Bench
let collector: Collector

beforeAll(async () => {
  devnet = await createDevnet({ validators: 5 })
  collector = await traceProcess()
  bench = await startService(devnet)
})
afterAll(async () => {
  await bench.service.close()
  await collector.close()
  await devnet.close()
})

const accept = (text: string): Uint8Array =>
  devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode(text) })

const PATH = 'POST /v1/signatureAggregator/:network/aggregateSignatures'

const childrenOf = (trace: readonly ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  trace.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)

it('traces a request to its aggregation, and from there to each validator with its outcome', async () => {
  devnet.setFaults({ 1: 'refuse' })
  const message = accept('first')
  const { status } = await bench.ask({ message: Hex.encode(message), quorumPercentage: 80 })
  expect(status).toBe(200)
  const trace = await collector.traceOf(({ name }) => name === PATH, 7)
  const request = trace.find(({ name }) => name === PATH)
  const run = trace.find(({ name }) => name === 'collect signatures')
  expect(run?.parentSpanId).toBe(request?.spanId)
  expect(run?.attributes).toMatchObject({
    'avalanche.message_id': Hex.encode(Id.hash(message)),
    'firn.validators': 5,
    'firn.signatures': 4,
  })
  const requests = childrenOf(trace, run)
  const outcomes = new Map(
    requests.map(({ attributes }) => [attributes['avalanche.node_id'], attributes['firn.outcome']]),
  )
  expect(outcomes.size).toBe(5)
  for (const [index, { nodeId }] of devnet.validators.entries())
    expect(outcomes.get(NodeId.format(nodeId))).toBe(index === 1 ? 'error' : 'response')
  expect(requests.filter(({ isFailed }) => isFailed)).toHaveLength(1)
  devnet.clearFaults()
})

it('traces the requests to nodes that a request waits for', async () => {
  await bench.ask({ message: Hex.encode(accept('second')), pChainHeight: 1 })
  const isValidators = ({ name, kind }: ReceivedSpan) => kind === 3 && name.startsWith('platform.get')
  // Requests to nodes that no caller waits for have separate traces.
  const isAwaited = (span: ReceivedSpan) =>
    isValidators(span) &&
    collector.spans.some(({ traceId, name }) => traceId === span.traceId && name === PATH)
  const trace = await collector.traceOf(isAwaited, 2)
  const upstream = trace.find(isValidators)
  const request = trace.find(({ name }) => name === PATH)
  expect(upstream).toMatchObject({
    parentSpanId: request?.spanId,
    attributes: { 'server.address': new URL(devnet.rpcUrl).host, 'firn.outcome': 'ok' },
  })
})

it('shows in whose trace the aggregation of an equal request is', async () => {
  devnet.setFaults(Object.fromEntries([0, 1, 2, 3, 4].map((i) => [i, { kind: 'slow', ms: 1_500 }])))
  const message = Hex.encode(accept('third'))
  const answers = await Promise.all([bench.ask({ message }), bench.ask({ message })])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const shared = await collector.traceOf(({ name }) => name === 'wait for an equal request', 2)
  const waiting = shared.find(({ name }) => name === 'wait for an equal request')
  const [, traceId, spanId] = String(waiting?.attributes['traceparent']).split('-')
  const trace = await collector.traceOf((span) => span.spanId === spanId, 7)
  expect(trace.find((span) => span.spanId === spanId)).toMatchObject({ name: 'collect signatures', traceId })
  expect(waiting?.traceId).not.toBe(traceId)
  devnet.clearFaults()
})
