import type { UsageRequest, UsageWriter } from '@firn/service-store'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import type { Admission } from '../admission/Admission.ts'
import type { Chain } from '../request/Chain.ts'

/** Prometheus metrics of the gateway. */
export interface Metrics {
  /** Counts a request as the usage statistics do. */
  count(request: UsageRequest): void
  readonly contentType: string
  text(): Promise<string>
}

/**
 * Adds the Prometheus metrics of a gateway to the registry. The labels of request and node metrics contain only
 * chains, statuses and nodes.
 */
export function createMetrics(
  registry: Registry,
  chains: readonly Chain[],
  admission: Admission,
  usage: Pick<UsageWriter<UsageRequest>, 'dropped' | 'waiting'>,
): Metrics {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'firn_gateway_requests_total',
    help: 'Number of requests, by chain and response code',
    labelNames: ['chain', 'status'],
    registers,
  })
  const credits = new Counter({
    name: 'firn_gateway_credits_total',
    help: 'Number of credits charged, by chain',
    labelNames: ['chain'],
    registers,
  })
  const seconds = new Histogram({
    name: 'firn_gateway_request_seconds',
    help: 'Response time in seconds, by chain',
    labelNames: ['chain'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `firn_gateway_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('requests', 'Number of requests in progress', () => admission.held.requests)
  gauge('waiting_bytes', 'Number of bytes waiting to be forwarded', () => admission.held.bytes)
  gauge('usage_waiting', 'Number of requests not yet written to the database', () => usage.waiting)
  gauge(
    'usage_dropped',
    'Number of requests that were lost before they could be counted',
    () => usage.dropped,
  )
  new Gauge({
    name: 'firn_gateway_node_up',
    help: 'Whether the node responds (1) or not (0), by chain and host',
    labelNames: ['chain', 'node'],
    registers,
    collect() {
      for (const { id, nodes } of chains) {
        for (const node of nodes.all)
          this.set({ chain: id, node: node.value.url.host }, nodes.isUp(node) ? 1 : 0)
      }
    },
  })
  return {
    count(request) {
      requests.inc({ chain: request.chainId, status: request.status })
      credits.inc({ chain: request.chainId }, request.credits)
      seconds.observe({ chain: request.chainId }, request.milliseconds / 1000)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
