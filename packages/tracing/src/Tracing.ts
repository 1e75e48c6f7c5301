import { type Logger, silentTracer, type Tracer } from '@firn/runtime'

/** Traces of this process, until they are closed. */
export interface Tracing {
  /** Sends the remaining spans, for at most a few seconds. Never throws. */
  close(): Promise<void>
}

/** Options of {@link start}. */
export interface TracingOptions {
  /**
   * Base URL of a collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it, nothing is traced,
   * and OpenTelemetry is not loaded.
   */
  readonly otlpEndpoint?: string | undefined
}

/** The program whose traces are recorded. */
export interface Program {
  /** Name of the service in traces, unless `OTEL_SERVICE_NAME` is set. */
  readonly name: string
  readonly version: string
}

type Log = Pick<Logger, 'info' | 'warn'>

/** The traces of this process, or undefined while it records none. */
let current: Tracer | undefined

/**
 * The tracer of this process: records spans between {@link start} and the end of its tracing, and nothing otherwise.
 *
 * @example
 * ```ts
 * import { Tracing } from '@firn/tracing'
 *
 * const span = Tracing.tracer.start('read balances')
 * span.end()
 * ```
 */
export const tracer: Tracer = { start: (...span) => (current ?? silentTracer).start(...span) }

/**
 * Starts to record a trace for each request to any HTTP server of this process, with its statements and its requests to
 * other servers. The standard variables of OpenTelemetry set the sampler, headers and limits. Does nothing without an
 * endpoint.
 *
 * @example
 * ```ts
 * import { Tracing } from '@firn/tracing'
 * import { silentLogger } from '@firn/runtime'
 *
 * const program = { name: 'firn-data-api', version: '0.2.0' }
 * const tracing = await Tracing.start({ otlpEndpoint: undefined }, program, silentLogger)
 * await tracing.close()
 * ```
 */
export async function start({ otlpEndpoint }: TracingOptions, program: Program, log: Log): Promise<Tracing> {
  if (otlpEndpoint === undefined || current !== undefined) return { close: async () => undefined }
  const { record } = await import('./recording.ts')
  const recording = record(otlpEndpoint, program, log)
  current = recording.tracer
  return {
    close: async () => {
      current = undefined
      await recording.close()
    },
  }
}

/**
 * Returns a `fetch` whose requests are spans of the current trace, and make their server continue it.
 *
 * @example
 * ```ts
 * import { Tracing } from '@firn/tracing'
 *
 * const send = Tracing.traceFetch('aggregate signatures', fetch)
 * await send('http://127.0.0.1:8080/health', {})
 * ```
 */
export function traceFetch(
  name: string,
  send: (url: string, init: RequestInit) => Promise<Response>,
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const span = tracer.start(name, () => ({ 'server.address': new URL(url).host }), 'client')
    const headers = { ...(init.headers as Readonly<Record<string, string>>), ...span.headers }
    try {
      const response = await span.run(() => send(url, { ...init, headers }))
      const failure = response.status < 400 ? undefined : String(response.status)
      span.end({ 'http.response.status_code': response.status }, failure)
      return response
    } catch (error) {
      span.end({}, (error as Error).name)
      throw error
    }
  }
}
