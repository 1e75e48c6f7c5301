import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Counts the requests that wait, and those that are refused. */
export type AdmissionMetrics = ReturnType<typeof createAdmissionMetrics>

/** Creates the metrics. `length` returns the number of waiting requests. */
export function createAdmissionMetrics(register: Registry, length: () => number) {
  const registers = [register]
  new Gauge({
    name: 'signature_aggregator_queue_length',
    help: 'Number of requests that wait for their turn',
    registers,
    collect() {
      this.set(length())
    },
  })
  const seconds = new Histogram({
    name: 'signature_aggregator_queue_seconds',
    help: 'Seconds for which requests waited for their turn',
    buckets: [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  })
  const refusals = new Counter({
    name: 'signature_aggregator_queue_refused_total',
    help: 'Number of requests that were refused because their turn would come too late',
    registers,
  })
  return { waited: (ms: number) => seconds.observe(ms / 1_000), refused: () => refusals.inc() }
}
