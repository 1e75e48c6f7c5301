import { channel } from 'node:diagnostics_channel'
import { classify, type FailureClass, type Observe, type RpcError } from '@firn/rpc'
import { type Clock, systemClock, type Tracer } from '@firn/runtime'
import { Histogram, type Registry } from 'prom-client'
import { tracer as processTracer } from './Tracing.ts'

/** Maximum number of methods that the span of a batch names. */
const MAX_METHODS = 10

/** Replacements for what {@link create} uses. */
export interface UpstreamMetricsOptions {
  readonly clock?: Pick<Clock, 'now'>
  /** Default: the tracer of the process. */
  readonly tracer?: Tracer
}

/** The outcome of a request to a node. */
export interface UpstreamRequest {
  /** Prefix of the metrics of the service that sent the request, such as `firn_node`. */
  readonly service: string
  /** Host and port of the node. */
  readonly upstream: string
  readonly milliseconds: number
  /** The first failure of the request, or its class; undefined if the request succeeded. */
  readonly failure: RpcError | FailureClass | undefined
}

/** Name of the diagnostics channel of Node.js on which the outcome of each {@link UpstreamRequest} is published. */
export const CHANNEL = 'firn.http.upstream'

const requests = channel(CHANNEL)

/**
 * Creates the metric `<prefix>_upstream_request_seconds`, a histogram of request times in seconds, by node and
 * outcome. The outcome is `ok`, or the class of the failure. Returns a function that observes one request, also for
 * traces and for the endpoints for operators of this process.
 * @example
 * ```ts
 * import { UpstreamMetrics } from '@firn/tracing'
 * import { connect } from '@firn/rpc'
 * import { Registry } from 'prom-client'
 *
 * const observe = UpstreamMetrics.create('firn_node', new Registry())
 * connect({ url: 'http://127.0.0.1:9650/ext/bc/C/rpc', observe })
 * ```
 * @throws Error if the registry already contains the metric
 */
export function create(
  prefix: string,
  registry: Registry,
  { clock = systemClock, tracer = processTracer }: UpstreamMetricsOptions = {},
): Observe {
  const seconds = new Histogram({
    name: `${prefix}_upstream_request_seconds`,
    help: 'Time of requests to nodes in seconds, by node and outcome',
    labelNames: ['upstream', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return ({ upstream, methods }) => {
    const start = clock.now()
    const [method = 'upstream request'] = methods
    const name = methods.length > 1 ? 'batch' : method.slice(0, 100)
    const attributes = () => ({
      'server.address': upstream,
      'rpc.system.name': 'jsonrpc',
      'rpc.method': methods.slice(0, MAX_METHODS).join(' ').slice(0, 500),
      'firn.calls': methods.length,
    })
    const span = tracer.start(name, attributes, 'client')
    return {
      headers: span.headers,
      end: (failure) => {
        const outcome =
          failure === undefined ? 'ok' : typeof failure === 'string' ? failure : classify(failure)
        const milliseconds = clock.now() - start
        seconds.observe({ upstream, outcome }, milliseconds / 1000)
        requests.publish({ service: prefix, upstream, milliseconds, failure } satisfies UpstreamRequest)
        span.end({ 'firn.outcome': outcome }, failure === undefined ? undefined : outcome)
      },
    }
  }
}
