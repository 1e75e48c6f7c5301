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
import type { Configuration } from './configuration/Configuration.ts'
import type { SharedLog } from './shared-log/SharedLog.ts'
import * as RequestMetrics from './signing/RequestMetrics.ts'

/** Options of {@link createSharedAggregator}. */
export interface SharedAggregatorDependencies {
  readonly configuration: Configuration
  readonly transport: Transport
  readonly prover: Prover.Prover
  readonly clock: Clock
  readonly register: Registry
  /** The fleet with which requests and signatures are shared, if any. */
  readonly sharedLog: SharedLog | undefined
}

/** Creates the aggregator of the service, with its limits and metrics. */
export function createSharedAggregator(dependencies: SharedAggregatorDependencies): Aggregator {
  const { configuration, transport, prover, clock, register, sharedLog } = dependencies
  const stored = SignatureCache.create({
    maxBytes: configuration.signatureCacheSize * SignatureCache.SIGNATURE_BYTES,
  })
  const own = createAggregator({
    transport: sharedLog?.transport(transport) ?? transport,
    clock,
    prover,
    cache: sharedLog?.cache(stored) ?? stored,
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
  return sharedLog?.aggregator(own, stored, prover) ?? own
}
