import type { EvmContext } from '../evm/EvmContext.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import { getChain, listChains } from './chains.ts'
import { getAverageTps } from './getAverageTps.ts'
import { getMetric } from './getMetric.ts'
import { getRollingWindows } from './getRollingWindows.ts'
import { listHolders } from './listHolders.ts'
import { createUuidTokens } from './UuidTokens.ts'

/** The endpoints over the rollups of EVM chains. */
export function metricsEndpoints(context: EvmContext): readonly Endpoint[] {
  const tokens = createUuidTokens(context.tokens, context.now)
  return [
    listChains(context),
    getChain(context),
    getMetric(context, tokens),
    getAverageTps(context, tokens),
    getRollingWindows(context),
    listHolders(context, tokens),
  ]
}
