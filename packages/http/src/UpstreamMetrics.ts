import { classify, type Observe } from '@firn/rpc'
import { Histogram, type Registry } from 'prom-client'

/**
 * Creates the metric `<prefix>_upstream_request_seconds`, a histogram of request times in seconds, by node and
 * outcome. The outcome is `ok`, or the class of the failure. Returns a function that records one request.
 * @example
 * ```ts
 * import { UpstreamMetrics } from '@firn/http'
 * import { connect } from '@firn/rpc'
 * import { Registry } from 'prom-client'
 *
 * const observe = UpstreamMetrics.create('firn_node', new Registry())
 * connect({ url: 'http://127.0.0.1:9650/ext/bc/C/rpc', observe })
 * ```
 * @throws Error if the registry already contains the metric
 */
export function create(prefix: string, registry: Registry): Observe {
  const seconds = new Histogram({
    name: `${prefix}_upstream_request_seconds`,
    help: 'Time of requests to nodes in seconds, by node and outcome',
    labelNames: ['upstream', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return ({ upstream, milliseconds, failure = 'ok' }) => {
    const outcome = typeof failure === 'string' ? failure : classify(failure)
    seconds.observe({ upstream, outcome }, milliseconds / 1000)
  }
}
