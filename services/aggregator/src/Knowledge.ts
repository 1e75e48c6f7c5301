import type { Observe } from '@firn/rpc'
import type { Clock } from '@firn/runtime'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Configuration } from './configuration/Configuration.ts'
import { createChainEpochs, createEpochDuration } from './epochs/ChainEpochs.ts'
import { createEpochs, type Epochs } from './epochs/Epochs.ts'
import { createHeights, type Heights } from './p-chain/Heights.ts'
import { createLedgerProposerVm, type Ledger } from './p-chain/Ledger.ts'
import type { PChain } from './p-chain/PChain.ts'
import { createPublicKeys } from './p-chain/PublicKeys.ts'
import { createSubnets, type Subnets } from './p-chain/Subnets.ts'
import { createValidatorSets, type ValidatorSets } from './p-chain/ValidatorSets.ts'
import { createPlatformVerdict, type PlatformVerdict } from './signing/PlatformVerdict.ts'
import type { Workers } from './workers/Workers.ts'

/**
 * Maximum time that a request waits for a slow upstream before it uses a fresh cached validator set, in
 * milliseconds.
 */
const PATIENCE_MS = 1_000

/** The queries for P-chain data and for the epochs of chains. */
export interface Knowledge {
  readonly heights: Heights
  readonly subnets: Subnets
  readonly validatorSets: ValidatorSets
  readonly epochs: Epochs
  readonly platform: PlatformVerdict
}

/** Options of {@link createKnowledge}. */
export interface KnowledgeDependencies {
  readonly configuration: Configuration
  readonly networkId: number
  readonly ledger: Ledger | undefined
  readonly pChain: PChain
  readonly clock: Clock
  readonly observe: Observe
  readonly register: Registry
  readonly log: Logger
  /** Threads that decode public keys. */
  readonly workers: Workers | undefined
}

/** Creates the queries. */
export function createKnowledge(dependencies: KnowledgeDependencies): Knowledge {
  const { configuration, networkId, ledger, pChain, clock, observe, register, log, workers } = dependencies
  const proposerVm = ledger && createLedgerProposerVm(ledger)
  const limits = { staleAfterMs: configuration.staleAfter, patienceMs: PATIENCE_MS }
  const heights = createHeights({ pChain, clock, ...limits, maxLookback: configuration.maxPChainLookback })
  const subnets = createSubnets({ pChain, clock, log, patienceMs: PATIENCE_MS })
  const publicKeys = createPublicKeys(workers?.threads)
  const sets = { pChain, heights, subnets, clock, register, publicKeys, ...limits }
  const epochs = createEpochs({
    chains: createChainEpochs(configuration, clock, observe, proposerVm),
    durationSeconds: createEpochDuration(networkId, pChain),
    clock,
  })
  const platform = createPlatformVerdict({ pChain, subnets, clock })
  return { heights, subnets, validatorSets: createValidatorSets(sets), epochs, platform }
}
