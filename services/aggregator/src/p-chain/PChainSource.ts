import { Network } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { type Configuration, wrong } from '../configuration/Configuration.ts'
import { createLedgerPChain, type Ledger } from './Ledger.ts'
import { createNodeApis, type NodeApisDependencies } from './NodeApis.ts'
import type { PChain } from './PChain.ts'

const START_ATTEMPTS = 10
const START_PAUSE_MS = 1_000

/** Creates the P-chain queries of the ledger if there is one, which need `infoApi` only for addresses. */
export function createPChainSource(
  configuration: Configuration,
  ledger: Ledger | undefined,
  dependencies: NodeApisDependencies,
): PChain {
  if (ledger === undefined) return createNodeApis(configuration, dependencies)
  if (configuration.infoApi.length === 0) return createLedgerPChain(ledger)
  const { peers } = createNodeApis({ ...configuration, agree: 1 }, dependencies)
  return createLedgerPChain(ledger, peers)
}

/** Options of {@link findNetworkId}. */
export interface FindNetworkIdOptions {
  readonly configuration: Pick<Configuration, 'network'>
  readonly pChain: Pick<PChain, 'networkId'>
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal | undefined
}

/**
 * Returns the upstream's network id. Makes several attempts, because the upstream may start later than this
 * process.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`, `AGGREGATOR_UPSTREAM`
 */
export async function findNetworkId(options: FindNetworkIdOptions): Promise<number> {
  const { configuration, pChain, clock, log, signal } = options
  const { network } = configuration
  for (let attempt = 1; ; attempt++) {
    try {
      const networkId = await pChain.networkId(signal)
      if (network !== 'auto' && !Network.isNamed(network, networkId)) {
        throw wrong(
          `network: expected an upstream of ${network}, got one of ${Network.formatName(networkId)} (network id ${networkId})`,
        )
      }
      return networkId
    } catch (error) {
      if (attempt >= START_ATTEMPTS || (error as { code?: string }).code !== 'AGGREGATOR_UPSTREAM')
        throw error
      log.warn({ attempt, reason: (error as Error).message }, 'waiting for the upstream')
      await clock.sleep(START_PAUSE_MS, signal)
    }
  }
}
