import { execFile } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '@firn/rpc'
import { Statement, traced } from '@firn/runtime'
import { createTimerClock } from '@firn/runtime/testing'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as Diagnostics from './Diagnostics.ts'
import * as SlowLog from './SlowLog.ts'
import * as Tracing from './Tracing.ts'
import { type Collector, startCollector } from './testing/collector.ts'
import * as UpstreamMetrics from './UpstreamMetrics.ts'

const PROGRAM = { name: 'firn-test', version: '1.2.3' }
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'

interface Line {
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

let collector: Collector
let lines: Line[]
const closers: (() => unknown)[] = []
const log = {
  info: (facts: object, message: string) => void lines.push({ message, facts: { ...facts } }),
  warn: (facts: object, message: string) => void lines.push({ message, facts: { ...facts } }),
}

beforeEach(async () => {
  // Batches are sent at once, and not after the standard five seconds.
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '10'
  lines = []
  collector = await startCollector()
  closers.push(() => collector.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

const startTracing = async (): Promise<Tracing.Tracing> => {
  const tracing = await Tracing.start({ otlpEndpoint: collector.url }, PROGRAM, log)
  closers.push(() => tracing.close())
  return tracing
}

const startServer = async (handle: () => Promise<unknown>): Promise<string> => {
  const server = Fastify({ genReqId: () => 'request-7' })
  server.post('/things/:id', handle)
  server.get('/health', async () => 'well')
  closers.push(() => server.close())
  return server.listen({ port: 0 })
}

const post = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const json = { 'content-type': 'application/json', ...headers }
  const response = await fetch(url, { method: 'POST', headers: json, body: '{"a":1}' })
  await response.text()
  return response.status
}

/** Publishes a statement as a store does, after it has waited. */
const query = async (text: string, failure?: string): Promise<void> => {
  await sleep(2)
  channel(Statement.CHANNEL).publish({ text, milliseconds: 1.5, rows: 3, failure })
}

/** Starts a JSON-RPC server that answers each call with its `traceparent`. */
const startNode = async (): Promise<string> => {
  const node = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: request.headers['traceparent'] ?? null }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  closers.push(() => node.close())
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`
}

describe('a traced request', () => {
  it('continues the trace of its caller, and contains its operations, upstream requests and statements', async () => {
    await startTracing()
    const observe = UpstreamMetrics.create('firn_test', new Registry())
    const node = await startNode()
    let passedOn: unknown
    const url = await startServer(() =>
      traced(
        Tracing.tracer,
        'read balances',
        () => ({ chain: '43113' }),
        async () => {
          await query("select * from account where name = 'secret' and id = $1")
          passedOn = await connect({ url: `${node}/?key=secret`, observe }).call('eth_getBalance', ['secret'])
          return 'done'
        },
      ),
    )
    const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`
    await post(`${url}/things/secret?key=secret`, { traceparent, tracestate: 'vendor=7' })
    const spans = await collector.traceOf(({ traceId }) => traceId === TRACE_ID, 5)
    const byName = (name: string) => spans.find((span) => span.name === name)
    const request = byName('POST /things/:id')
    const operation = byName('read balances')
    const upstream = byName('eth_getBalance')
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: SPAN_ID,
      attributes: { 'http.response.status_code': 200, 'firn.request_id': 'request-7' },
    })
    expect(operation).toMatchObject({ parentSpanId: request?.spanId, attributes: { chain: '43113' } })
    expect(byName('SQL select')).toMatchObject({
      parentSpanId: operation?.spanId,
      attributes: {
        'db.query.text': 'select * from account where name = ? and id = $1',
        'db.response.returned_rows': 3,
      },
    })
    expect(upstream).toMatchObject({
      kind: 3,
      parentSpanId: operation?.spanId,
      attributes: { 'rpc.method': 'eth_getBalance', 'server.address': new URL(node).host },
    })
    expect(passedOn).toBe(`00-${TRACE_ID}-${upstream?.spanId}-01`)
    // The node is a server of this process too, so its span is the child of the request to it.
    expect(spans.find(({ parentSpanId }) => parentSpanId === upstream?.spanId)?.kind).toBe(2)
    expect(JSON.stringify(spans)).not.toContain('secret')
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'firn-test', 'service.version': '1.2.3' })
  })

  it('keeps concurrent requests apart, and marks failures', async () => {
    await startTracing()
    const url = await startServer(async () => {
      await query('select 1', '57P01')
      throw new Error('it failed')
    })
    await Promise.all([post(`${url}/things/1`), post(`${url}/things/2`)])
    await expect.poll(() => collector.spans.length).toBe(4)
    const requests = collector.spans.filter(({ kind }) => kind === 2)
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2)
    for (const { spanId, isFailed, attributes } of requests) {
      expect([isFailed, attributes['error.type']]).toEqual([true, '500'])
      const [statement, ...others] = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
      expect(statement).toMatchObject({ isFailed: true, attributes: { 'error.type': '57P01' } })
      expect(others).toEqual([])
    }
  })

  it('contains requests that are sent with a traced fetch, and failures of these', async () => {
    await startTracing()
    const statuses = [200, 503]
    const sent: unknown[] = []
    const send = Tracing.traceFetch('aggregate signatures', async (_url, { headers }) => {
      sent.push(headers)
      const status = statuses.shift()
      if (status === undefined) throw new TypeError('secret: fetch failed')
      return new Response('', { status })
    })
    const init = { method: 'POST', headers: { accept: 'application/json' } }
    const url = await startServer(async () => {
      for (let i = 0; i < 3; i++) await send('http://a:1/secret', init).catch(() => undefined)
      return 'done'
    })
    await post(`${url}/things/1`)
    const spans = await collector.traceOf(() => true, 4)
    const requests = spans.filter(({ kind }) => kind === 3)
    expect(requests.map(({ attributes }) => attributes['error.type'])).toEqual([
      undefined,
      '503',
      'TypeError',
    ])
    expect(sent).toEqual(
      requests.map(({ traceId, spanId }) => ({
        accept: 'application/json',
        traceparent: `00-${traceId}-${spanId}-01`,
      })),
    )
    expect(JSON.stringify(spans)).not.toContain('secret')
  })

  it('has the id that the log of slow requests shows', async () => {
    await startTracing()
    const slow = SlowLog.start({ slowThreshold: 0.001 }, log)
    closers.push(() => slow.close())
    const url = await startServer(async () => 'done')
    await post(`${url}/things/1`, { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` })
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]?.facts).toMatchObject({ requestId: 'request-7', traceId: TRACE_ID })
  })

  it.each([
    ['no hex', `00-${'g'.repeat(32)}-${SPAN_ID}-01`],
    ['zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a longer header', `00-${TRACE_ID}-${SPAN_ID}-01-${'a'.repeat(8_000)}`],
    ['an empty header', ''],
  ])('starts its own trace for a traceparent with %s', async (_name, traceparent) => {
    await startTracing()
    const url = await startServer(async () => 'done')
    expect(await post(`${url}/things/1`, { traceparent, tracestate: 'x'.repeat(4_000) })).toBe(200)
    const [span] = await collector.traceOf(() => true, 1)
    expect(span?.parentSpanId).toBeUndefined()
    expect(span?.traceId).not.toBe(TRACE_ID)
  })
})

describe('tracing', () => {
  it('records no health checks, and no polls and statements outside of operations', async () => {
    await startTracing()
    const url = await startServer(async () => 'done')
    await (await fetch(`${url}/health`)).text()
    await query('select 1')
    Tracing.tracer.start('eth_blockNumber', undefined, 'client').end()
    await post(`${url}/things/1`)
    await collector.traceOf(() => true, 1)
    expect(collector.spans.map(({ name }) => name)).toEqual(['POST /things/:id'])
  })

  it('samples as the standard variables say, and passes the decision on', async () => {
    process.env['OTEL_TRACES_SAMPLER'] = 'always_off'
    const tracing = await startTracing()
    const node = await startNode()
    const observe = UpstreamMetrics.create('firn_test', new Registry())
    const url = await startServer(async () => connect({ url: node, observe }).call('a', []))
    const headers = { 'content-type': 'application/json' }
    const text = await (await fetch(`${url}/things/1`, { method: 'POST', headers, body: '{}' })).text()
    expect(text).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    await tracing.close()
    expect(collector.requests).toBe(0)
  })

  it('reports a wrong setting', async () => {
    process.env['OTEL_TRACES_SAMPLER'] = 'sometimes'
    await startTracing()
    expect(lines[0]).toMatchObject({ message: 'problem with traces', facts: { reason: /sometimes/ } })
  })

  it('does nothing without an endpoint', async () => {
    await Diagnostics.during({ slowThreshold: 0 }, PROGRAM, log, async () => {
      const span = Tracing.tracer.start('work', () => {
        throw new Error('attributes must not be computed')
      })
      expect(span.headers).toEqual({})
      span.end()
      expect(channel('http.server.request.start').hasSubscribers).toBe(false)
      expect(channel(Statement.CHANNEL).hasSubscribers).toBe(false)
    })
  })

  it('loads OpenTelemetry only for an endpoint', async () => {
    const url = new URL('Tracing.ts', import.meta.url).href
    const script = `
      import { registerHooks } from 'node:module'
      let isLoaded = false
      registerHooks({ load: (url, context, next) => { isLoaded ||= url.includes('@opentelemetry'); return next(url, context) } })
      const { start } = await import(${JSON.stringify(url)})
      const log = { info() {}, warn() {} }
      await (await start({}, { name: 'a', version: '1' }, log)).close()
      const before = isLoaded
      await (await start({ otlpEndpoint: 'http://127.0.0.1:9' }, { name: 'a', version: '1' }, log)).close()
      console.log(before, isLoaded)`
    const flags = ['--conditions=source', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags)
    expect(stdout.trim()).toBe('false true')
  })
})

const DROPPED = 'traces are dropped: the collector does not accept them'

describe('without a working collector', () => {
  const FAULTS: Readonly<Record<string, () => unknown>> = {
    'that is down': () => closers.shift()?.(),
    'that never answers': () => {
      collector.answer = () => undefined
    },
    'that refuses everything': () => {
      collector.answer = (_, response) => response.writeHead(400).end()
    },
    'that answers megabytes': () => {
      collector.answer = (_, response) => {
        response.writeHead(200)
        const part = Buffer.alloc(1 << 20)
        const more = () => void (response.destroyed || response.write(part, () => setImmediate(more)))
        more()
      }
    },
  }
  it.each(Object.entries(FAULTS))(
    'with a collector %s, serves as before and closes in time',
    async (_name, begin) => {
      // Spans beyond the queue are dropped.
      process.env['OTEL_BSP_MAX_QUEUE_SIZE'] = '20'
      process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'] = '10'
      process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '400'
      const tracing = await startTracing()
      await begin()
      const url = await startServer(async () => 'done')
      for (let i = 0; i < 50; i++) expect(await post(`${url}/things/${i}`)).toBe(200)
      const messages = () => lines.map(({ message }) => message)
      await expect.poll(messages).toContain(DROPPED)
      const clock = createTimerClock()
      const isClosed = tracing.close().then(() => true)
      while ((await Promise.race([isClosed, clock.sleep(10)])) !== true);
      expect(clock.now()).toBeLessThan(4_000)
    },
  )

  it('sends traces again when the collector is back', async () => {
    collector.answer = (_, response) => response.writeHead(400).end()
    await startTracing()
    const url = await startServer(async () => 'done')
    await post(`${url}/things/1`)
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    collector.answer = undefined
    // On a busy machine, a batch that the collector has accepted may count as failed, because the answer came late.
    await expect
      .poll(async () => {
        await post(`${url}/things/2`)
        return lines.map(({ message }) => message)
      })
      .toContain('the collector accepts traces again')
    await collector.traceOf(() => true, 1)
  })
})
