import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger } from '@firn/runtime'
import * as Tracing from '../Tracing.ts'

/** A span as a collector receives it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly milliseconds: number
  readonly isFailed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A collector that accepts OTLP as JSON, and keeps everything. */
export interface Collector {
  /** The base URL, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it. */
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The attributes of the programs that have sent spans. */
  readonly resources: Record<string, unknown>[]
  /** Number of requests that have arrived. */
  requests: number
  /** Answers the next requests instead, until it is set to undefined. */
  answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined
  /** Resolves to the spans of the trace that contains a span for which `isFound` holds, when `count` of them are there. */
  traceOf(isFound: (span: ReceivedSpan) => boolean, count: number): Promise<readonly ReceivedSpan[]>
  close: () => Promise<void>
}

/** Starts a collector on a free port of the loopback interface. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    collector.requests += 1
    if (collector.answer !== undefined) return void collector.answer(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json')
      return void response.writeHead(404).end()
    keep(collector, JSON.parse(Buffer.concat(chunks).toString()) as Export)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resources: [],
    requests: 0,
    answer: undefined,
    traceOf: (isFound, count) => traceOf(collector, isFound, count),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

/** Traces this process with a separate collector, until the collector is closed. */
export async function traceProcess(): Promise<Collector> {
  const collector = await startCollector()
  // Batches are sent at once, and not after the standard five seconds.
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '10'
  const program = { name: 'firn-test', version: '0' }
  const tracing = await Tracing.start({ otlpEndpoint: collector.url }, program, silentLogger)
  const { close } = collector
  collector.close = async () => {
    await tracing.close()
    delete process.env['OTEL_BSP_SCHEDULE_DELAY']
    await close()
  }
  return collector
}

const WAIT_MS = 20_000

async function traceOf(
  { spans }: Collector,
  isFound: (span: ReceivedSpan) => boolean,
  count: number,
): Promise<readonly ReceivedSpan[]> {
  for (const end = Date.now() + WAIT_MS; ; await sleep(20)) {
    const found = spans.find(isFound)
    const trace = spans.filter(({ traceId }) => traceId === found?.traceId)
    if (found !== undefined && trace.length >= count) return trace
    if (Date.now() > end)
      throw new Error(`expected a trace of ${count} spans, got ${JSON.stringify(trace, undefined, 1)}`)
  }
}

interface Value {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: number | string
  readonly doubleValue?: number
}
type KeyValues = readonly { readonly key: string; readonly value: Value }[]

/** The parts of `ExportTraceServiceRequest` that tests look at. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues }
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[]
  }[]
}

interface ExportedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: KeyValues
  readonly status?: { readonly code?: number }
}

const ERROR = 2

function keep({ spans, resources }: Collector, { resourceSpans }: Export): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    resources.push(toObject(resource.attributes))
    for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
      const { name, kind, traceId, spanId, parentSpanId, attributes = [], status } = span
      const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)
      const milliseconds = Number(nanoseconds) / 1e6
      const isFailed = status?.code === ERROR
      const facts = { attributes: toObject(attributes), milliseconds, isFailed }
      spans.push({ name, kind, traceId, spanId, parentSpanId, ...facts })
    }
  }
}

function toObject(attributes: KeyValues): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, boolValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
    ]),
  )
}
