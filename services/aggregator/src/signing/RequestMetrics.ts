import type { Aggregator } from '@firn/aggregation'
import { Gauge, type Registry } from 'prom-client'

/** Adds the numbers of requests to validators that are queued and in flight to the metrics. */
export function expose(register: Registry, aggregator: Pick<Aggregator, 'requests'>): void {
  new Gauge({
    name: 'signature_aggregator_app_requests',
    help: 'Number of signature requests to validators by state: queued, in-flight',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { inFlight, queued } = aggregator.requests
      this.set({ state: 'queued' }, queued)
      this.set({ state: 'in-flight' }, inFlight)
    },
  })
}
