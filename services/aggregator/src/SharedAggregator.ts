import {
  type Aggregator,
  createAggregator,
  Options,
  type Prover,
  SignatureCache,
  type Transport,
} from '@firn/aggregation'
import type { Clock } from '@firn/runtime'
import { Tracing } from '@firn/tracing'
import type { Registry } from 'prom-client'
import type { Configuration } from './Configuration.ts'
import type { Fleet } from './fleet/Fleet.ts'
import * as RequestMetrics from './signing/RequestMetrics.ts'

/** Options of {@link createSharedAggregator}. */
export interface SharedAggregatorDependencies {
  readonly configuration: Configuration
  readonly transport: Transport
  readonly prover: Prover.Prover
  readonly clock: Clock
  readonly register: Registry
  /** The fleet with which requests and signatures are shared, if any. */
  readonly fleet: Fleet | undefined
}

/** Creates the aggregator of the service, with its limits and metrics. */
export function createSharedAggregator(dependencies: SharedAggregatorDependencies): Aggregator {
  const { configuration, transport, prover, clock, register, fleet } = dependencies
  const stored = SignatureCache.create({
    maxBytes: configuration.signatureCacheSize * SignatureCache.SIGNATURE_BYTES,
  })
  const own = createAggregator({
    transport: fleet?.transport(transport) ?? transport,
    clock,
    prover,
    cache: fleet?.cache(stored) ?? stored,
    tracer: Tracing.tracer,
    options: {
      finalRefusalMs: configuration.refusalMemory,
      openRefusalMs: Math.min(configuration.refusalMemory, Options.defaults.openRefusalMs),
      maxRequests: configuration.maxP2pRequests,
      maxRequestsPerRun: configuration.maxP2pRequestsPerMessage,
      maxRequestsPerNode: configuration.maxP2pRequestsPerValidator,
    },
  })
  RequestMetrics.expose(register, own)
  return fleet?.aggregator(own, stored, prover) ?? own
}
