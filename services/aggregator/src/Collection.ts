import type { Prover } from '@firn/aggregation'
import type { Clock, Logger } from '@firn/runtime'
import type { Registry } from 'prom-client'
import type { AppDependencies } from './AppDependencies.ts'
import { type Configuration, identifiers } from './Configuration.ts'
import { createAllowList } from './callers/AllowList.ts'
import { createP2pBudget } from './callers/P2pBudget.ts'
import { createValidityCheck } from './epochs/ValidityCheck.ts'
import type { Fleet } from './fleet/Fleet.ts'
import { createForesight } from './foresight/Foresight.ts'
import { createReadinessCheck } from './foresight/Readiness.ts'
import type { Knowledge } from './Knowledge.ts'
import { createAdmission } from './load/Admission.ts'
import { createPaced } from './load/Paced.ts'
import type { PChain } from './p-chain/PChain.ts'
import type { Peers } from './peers/Peers.ts'
import { createSharedAggregator } from './SharedAggregator.ts'
import { createSeenSignatures } from './signing/SeenSignatures.ts'
import { createSignatures } from './signing/Signatures.ts'

/**
 * Share of the requests to validators that messages may use whose turn it is. The rest is for messages that take longer
 * than usual. More messages at once would only wait for each other.
 */
const ADMITTED_SHARE = 0.5

/** Collects signatures, forecasts quorums, and checks signed messages. */
export type Collection = Pick<
  AppDependencies,
  'signatures' | 'foresight' | 'checkReadiness' | 'validity' | 'messageLog'
>

/** Options of {@link createCollection}. */
export interface CollectionDependencies {
  readonly configuration: Configuration
  readonly networkId: number
  readonly knowledge: Knowledge
  readonly pChain: PChain
  readonly peers: Peers
  readonly prover: Prover.Prover
  readonly fleet: Fleet | undefined
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
}

/** Creates the collection of signatures from connected validators. */
export function createCollection(dependencies: CollectionDependencies): Collection {
  const { configuration, knowledge, peers, prover, fleet, clock, register } = dependencies
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
  const foresight = createForesight(shared)
  const collector = createSignatures({
    ...shared,
    foresight,
    admission: createAdmission({ capacity: configuration.maxP2pRequests * ADMITTED_SHARE, clock, register }),
    budget: createP2pBudget(configuration.p2pRequestsPerMinute, clock),
    collectTimeoutMs: configuration.collectTimeout,
  })
  return {
    signatures: createPaced(fleet?.signatures(collector) ?? collector, clock),
    foresight,
    checkReadiness: createReadinessCheck(shared),
    validity: createValidityCheck({ ...shared, foresight, prover }),
    messageLog: fleet?.messageLog(shared),
  }
}
