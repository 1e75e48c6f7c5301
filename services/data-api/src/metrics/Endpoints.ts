import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { createConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import type { DataContext } from '../primary/network/Context.ts'
import { getChain, listChains } from './chains.ts'
import { getAverageTps } from './getAverageTps.ts'
import { getIcmSummary } from './getIcmSummary.ts'
import { getIcmTimeseries } from './getIcmTimeseries.ts'
import { getL1FeeMetrics } from './getL1FeeMetrics.ts'
import { getMetric } from './getMetric.ts'
import { getRollingWindows } from './getRollingWindows.ts'
import { getStakingMetric } from './getStakingMetric.ts'
import { getTeleporterMetric } from './getTeleporterMetric.ts'
import { listBtcbBridgers } from './listBtcbBridgers.ts'
import { listCollectionHolders } from './listCollectionHolders.ts'
import { listHolders } from './listHolders.ts'
import { listRewardedAddresses } from './listRewardedAddresses.ts'
import { createUuidTokens } from './UuidTokens.ts'

/**
 * Limits on concurrent calls of expensive metrics. They leave free database connections for other endpoints.
 */
const EXPENSIVE = { most: 2, mostWaiting: 64, waitMs: 5_000 }

/** Returns the metrics endpoints of EVM chains. */
export function metricsEndpoints(context: EvmContext): readonly Endpoint[] {
  const tokens = createUuidTokens(context.tokens, context.now)
  const limit = createConcurrencyLimit(EXPENSIVE)
  return [
    listChains(context),
    getChain(context),
    getMetric(context, tokens),
    getAverageTps(context, tokens),
    getRollingWindows(context),
    getIcmSummary(context),
    getIcmTimeseries(context),
    getTeleporterMetric(context),
    listHolders(context, tokens, limit),
    listCollectionHolders(context, tokens, limit),
    listBtcbBridgers(context, tokens, limit),
  ]
}

/** Returns the metrics endpoints of the P-chain. */
export function stakingMetricsEndpoints(context: DataContext): readonly Endpoint[] {
  return [getStakingMetric(context), ...getL1FeeMetrics(context), listRewardedAddresses(context)]
}
