import { createMemoryJobStore, createSqlJobStore } from '@firn/jobs'
import type { Clock, Logger, Owner } from '@firn/runtime'
import type { Configuration } from '../configuration/Configuration.ts'
import { endpointOf } from '../epochs/ChainRpc.ts'
import type { SharedLog } from '../shared-log/SharedLog.ts'
import { jobTable } from '../shared-log/Tables.ts'
import type { Signatures } from '../signing/Signatures.ts'
import { createFairSlots, type FairSlots } from './FairSlots.ts'
import { createJobs, type Jobs } from './Jobs.ts'
import { createSourceChains, type SourceChains } from './SourceChains.ts'

/** Maximum number of messages of batches and jobs that are signed at the same time. */
const MAX_MESSAGES = 128

/** Options of {@link openJobs}. */
export interface OpenJobsDependencies {
  readonly configuration: Configuration
  readonly networkId: number
  readonly signatures: Signatures
  /** The fleet whose database stores the jobs; without one, they are stored in memory. */
  readonly sharedLog: SharedLog | undefined
  readonly clock: Clock
  readonly log: Logger
}

/** Opens the store of jobs, and starts to run them. */
export function openJobs(
  { configuration, networkId, signatures, sharedLog, clock, log }: OpenJobsDependencies,
  owner: Owner,
): { readonly jobs: Jobs; readonly slots: FairSlots; readonly sourceChains: SourceChains } {
  const slots = createFairSlots(MAX_MESSAGES)
  const sourceChains = createSourceChains({
    endpoints: new Map(configuration.chainRpc.map((chain) => [chain.blockchainId, endpointOf(chain, 'rpc')])),
    clock,
    timeoutMs: configuration.upstreamTimeout,
  })
  const limits = {
    clock,
    maxJobs: configuration.maxJobs,
    maxJobsPerCaller: configuration.maxJobsPerCaller,
    retentionMs: configuration.jobRetention,
  }
  const jobs = createJobs({
    store:
      sharedLog === undefined
        ? createMemoryJobStore(limits)
        : createSqlJobStore(jobTable(sharedLog.database), limits),
    signing: { signatures, networkId, clock, slots, sourceChains },
    clock,
    log,
    timeoutMs: configuration.jobTimeout,
  })
  return { jobs: owner.own(jobs), slots, sourceChains }
}
