import type { Prover } from '@firn/aggregation'
import type { Clock, Logger } from '@firn/runtime'
import { Counter, Gauge, type Registry } from 'prom-client'
import { createPooledProver } from './PooledProver.ts'
import { createThreads, type Threads } from './Threads.ts'

/** The worker threads of the service, and the prover that uses them. */
export interface Workers {
  readonly threads: Threads
  readonly prover: Prover.Prover
  close(): Promise<void>
}

/** Options of {@link createWorkers}. */
export interface WorkersOptions {
  /** Number of threads; 0 for none. */
  readonly count: number
  readonly clock: Clock
  readonly register: Registry
  readonly log: Pick<Logger, 'warn'>
}

/** Creates the worker threads, which start with their first job. Returns undefined for a count of 0. */
export function createWorkers({ count, clock, register, log }: WorkersOptions): Workers | undefined {
  if (count === 0) return undefined
  const threads = createThreads({ count, clock, log })
  exposeMetrics(threads, register)
  return { threads, prover: createPooledProver(threads), close: () => threads.close() }
}

function exposeMetrics(threads: Threads, register: Registry): void {
  const registers = [register]
  new Gauge({
    name: 'signature_aggregator_worker_jobs_waiting',
    help: 'Number of batches of signatures or keys that wait for a worker thread',
    registers,
    collect() {
      this.set(threads.waiting)
    },
  })
  new Counter({
    name: 'signature_aggregator_worker_deaths_total',
    help: 'Number of worker threads that ended unexpectedly and were replaced',
    registers,
    collect() {
      this.reset()
      this.inc(threads.deaths)
    },
  })
}
