import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@firn/runtime'
import { DiagLogLevel, diag, type Tracer as OtelTracer } from '@opentelemetry/api'
import { ExportResultCode, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Program } from './Tracing.ts'

type Log = Pick<Logger, 'info' | 'warn'>

/**
 * Time in milliseconds for sending one batch, with repetitions, and so for the last batches when the process ends. The
 * default of OpenTelemetry would delay the end for 10 seconds.
 */
const SEND_MS = 3_000

/**
 * Starts to send spans to a collector in the background. Spans wait in a queue of limited size (`OTEL_BSP_*`). While the
 * collector does not accept them, they are dropped.
 */
export function openExport(
  endpoint: string,
  { name, version }: Program,
  log: Log,
): { readonly otel: OtelTracer; close(): Promise<void> } {
  reportProblems(log)
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    ...(isTimeSet() ? {} : { timeoutMillis: SEND_MS }),
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': name,
      'service.version': version,
      'service.instance.id': crypto.randomUUID(),
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reporting(exporter, log))],
  })
  return {
    otel: provider.getTracer('firn', version),
    close: async () => {
      const limit = new AbortController()
      const ended = provider.shutdown().catch(() => undefined)
      await Promise.race([ended, sleep(SEND_MS, undefined, { signal: limit.signal })])
      limit.abort()
    },
  }
}

function isTimeSet(): boolean {
  return ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'].some(
    (name) => process.env[name] !== undefined,
  )
}

/** Logs problems of the settings in the environment, such as an unknown sampler. */
function reportProblems(log: Log): void {
  const warn = (reason: string) => log.warn({ reason }, 'problem with traces')
  const nothing = () => undefined
  const logger = { error: warn, warn, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  // Failures of exports are logged once, not for each batch.
  setGlobalErrorHandler(nothing)
}

/** Returns an exporter that logs when the collector begins and ceases to accept spans. */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED
        if (hasFailed && !isFailing)
          log.warn(
            { reason: result.error?.message },
            'traces are dropped: the collector does not accept them',
          )
        if (!hasFailed && isFailing) log.info({}, 'the collector accepts traces again')
        isFailing = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
