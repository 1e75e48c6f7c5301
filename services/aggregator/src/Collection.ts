import type { Prover } from '@firn/aggregation'
import type { Clock, Logger } from '@firn/runtime'
import type { Registry } from 'prom-client'
import { createAllowList } from './callers/AllowList.ts'
import { createP2pBudget } from './callers/P2pBudget.ts'
import { type Configuration, identifiers } from './configuration/Configuration.ts'
import { createValidityCheck } from './epochs/ValidityCheck.ts'
import { createForecast } from './forecast/Forecast.ts'
import { createReadinessCheck } from './forecast/Readiness.ts'
import { createSeenSignatures } from './forecast/SeenSignatures.ts'
import type { AppDependencies } from './http/AppDependencies.ts'
import type { Knowledge } from './Knowledge.ts'
import { createAdmission } from './load/Admission.ts'
import type { PChain } from './p-chain/PChain.ts'
import type { Peers } from './peers/Peers.ts'
import { createSharedAggregator } from './SharedAggregator.ts'
import type { SharedLog } from './shared-log/SharedLog.ts'
import { createPaced } from './signing/Paced.ts'
import { createSignatures } from './signing/Signatures.ts'

/**
 * Share of the requests to validators that messages may use whose turn it is. The rest is for messages that take longer
 * than usual. More messages at once would only wait for each other.
 */
const ADMITTED_SHARE = 0.5

/** Collects signatures, forecasts quorums, and checks signed messages. */
export type Collection = Pick<
  AppDependencies,
  'signatures' | 'forecast' | 'checkReadiness' | 'validity' | 'messageLog'
>

/** Options of {@link createCollection}. */
export interface CollectionDependencies {
  readonly configuration: Configuration
  readonly networkId: number
  readonly knowledge: Knowledge
  readonly pChain: PChain
  readonly peers: Peers
  readonly prover: Prover.Prover
  readonly sharedLog: SharedLog | undefined
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
}

/** Creates the collection of signatures from connected validators. */
export function createCollection(dependencies: CollectionDependencies): Collection {
  const { configuration, knowledge, peers, prover, sharedLog, clock, register } = dependencies
  const { signingSubnets, sourceChains } = identifiers(configuration)
  const { transport } = peers.connections
  const shared = {
    ...dependencies,
    ...knowledge,
    ...peers,
    allowList: createAllowList({ signingSubnets, sourceChains }),
    seen: createSeenSignatures(clock),
    aggregator: createSharedAggregator({ ...dependencies, transport }),
  }
  const forecast = createForecast(shared)
  const collector = createSignatures({
    ...shared,
    forecast,
    admission: createAdmission({ capacity: configuration.maxP2pRequests * ADMITTED_SHARE, clock, register }),
    budget: createP2pBudget(configuration.p2pRequestsPerMinute, clock),
    collectTimeoutMs: configuration.collectTimeout,
  })
  return {
    signatures: createPaced(sharedLog?.signatures(collector) ?? collector, clock),
    forecast,
    checkReadiness: createReadinessCheck(shared),
    validity: createValidityCheck({ ...shared, forecast, prover }),
    messageLog: sharedLog?.messageLog(shared),
  }
}
