import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Attributes, type Logger, type Span, Statement, type Tracer } from '@firn/runtime'
import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { openExport } from './exporting.ts'
import { type ActiveRequest, watch } from './internal/activeRequests.ts'
import { statementText } from './internal/statementText.ts'
import * as TraceContext from './TraceContext.ts'
import type { Program } from './Tracing.ts'

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const

/**
 * Paths that only machines of the operator ask, every few seconds. Tracing the last one would never end if the collector
 * is in this process.
 */
const UNTRACED = /\/(?:health|metrics|health\/readiness|health\/liveness|v1\/traces)$/

/**
 * Records spans and sends them to a collector: of requests to this process, of their statements, and what is started with
 * `tracer`. This module is loaded only if traces are recorded.
 */
export function record(
  endpoint: string,
  program: Program,
  log: Pick<Logger, 'info' | 'warn'>,
): { readonly tracer: Tracer; close(): Promise<void> } {
  const { otel, close } = openExport(endpoint, program, log)
  const spans = new AsyncLocalStorage<OtelSpan>()
  const onStatement = (message: unknown) =>
    recordStatement(otel, spans.getStore(), message as Statement.Statement)
  const stop = watch((active) => recordRequest(otel, spans, active))
  subscribe(Statement.CHANNEL, onStatement)
  return {
    tracer: tracerOf(otel, spans),
    close: async () => {
      stop()
      unsubscribe(Statement.CHANNEL, onStatement)
      await close()
    },
  }
}

const contextOf = (parent: OtelSpan | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent)

function tracerOf(otel: OtelTracer, spans: AsyncLocalStorage<OtelSpan>): Tracer {
  return {
    start(name, attributes, kind = 'internal') {
      const parent = spans.getStore()
      // Requests that belong to no operation, such as polls for the newest block, would be traces of one span.
      if (kind === 'client' && parent === undefined) return UNRECORDED
      const span = otel.startSpan(name, { kind: KINDS[kind] }, contextOf(parent))
      if (span.isRecording() && attributes !== undefined) span.setAttributes(attributes())
      return {
        headers: TraceContext.headersOf(span.spanContext()),
        run: (work) => spans.run(span, work),
        end: (more, failure) => end(span, more, failure),
      }
    },
  }
}

const UNRECORDED: Span = { headers: {}, run: (work) => work(), end: () => undefined }

function end(span: OtelSpan, attributes: Attributes = {}, failure?: string): void {
  // Unlike a second end, a late attribute is reported as an error.
  if (!span.isRecording()) return
  span.setAttributes(attributes)
  if (failure !== undefined) {
    span.setAttribute('error.type', failure)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

function recordRequest(otel: OtelTracer, spans: AsyncLocalStorage<OtelSpan>, active: ActiveRequest): void {
  const { request, response } = active
  const [path = ''] = (request.url ?? '').split('?')
  if (UNTRACED.test(path)) return
  const method = request.method ?? 'GET'
  const caller = TraceContext.read(request.headers)
  const parent = caller === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller)
  const span = otel.startSpan(method, { kind: SpanKind.SERVER }, parent)
  active.traceId = span.spanContext().traceId
  spans.enterWith(span)
  response.once('close', () => {
    const { statusCode: status } = response
    span.updateName(`${method} ${active.route}`)
    const facts = {
      'http.request.method': method,
      'http.route': active.route,
      'http.response.status_code': status,
      'firn.request_id': active.id,
      'firn.complete': response.writableFinished,
    }
    end(span, facts, status < 500 ? undefined : String(status))
  })
}

/** A statement is published when it has ended, so its start is computed. */
function recordStatement(
  otel: OtelTracer,
  parent: OtelSpan | undefined,
  { text, milliseconds, rows, failure }: Statement.Statement,
): void {
  if (parent?.isRecording() !== true) return
  const shown = statementText(text)
  const [operation = 'statement'] = shown.split(' ')
  const startTime = Date.now() - milliseconds
  const span = otel.startSpan(
    `SQL ${operation.toLowerCase()}`,
    { kind: SpanKind.CLIENT, startTime },
    contextOf(parent),
  )
  end(
    span,
    { 'db.system.name': 'postgresql', 'db.query.text': shown, 'db.response.returned_rows': rows },
    failure,
  )
}
