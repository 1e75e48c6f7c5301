import { DataApiError } from '../DataApiError.ts'
import {
  chainId,
  chainOf,
  type EvmChainSource,
  type EvmContext,
  NETWORKS,
  type NetworkKind,
} from '../evm/EvmContext.ts'
import { kindOf } from '../evm/listChains.ts'
import * as Parameter from '../front/Parameter.ts'
import { METRICS, type MetricName } from './Metrics.ts'

/** Several chains: all, or those of a kind of network. */
export type Aggregate = 'total' | NetworkKind

/** `{chainId}` of metrics: one chain, or several together, by any name of their network. */
export function metricsChain(context: EvmContext): Parameter.Parameter<bigint | Aggregate> {
  const one = chainId(context)
  const names: ReadonlyMap<string, Aggregate> = new Map([
    ['total', 'total'] as const,
    ...NETWORKS,
    ...(context.networkKinds ?? []),
  ])
  return {
    ...Parameter.text<bigint | Aggregate>(
      `${one.expected}, or one of ${[...names.keys()].join(', ')}`,
      (text) => names.get(text) ?? one.parse([text]),
    ),
    ...(one.prepare === undefined ? {} : { prepare: one.prepare }),
  }
}

/**
 * Returns the selected chains, without those that lack the metric.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function chainsWith(
  context: EvmContext,
  which: bigint | Aggregate,
  name: MetricName,
): readonly EvmChainSource[] {
  const chains = chainsOf(context, which)
  if (!METRICS[name].isTraced) return chains
  const traced = chains.filter(({ chain }) => chain.hasTraces)
  if (traced.length > 0 || chains.length === 0) return traced
  const message = `metric: ${name} needs internal calls, and the chain is stored without them`
  throw new DataApiError('DATA_NOT_FOUND', message)
}

function chainsOf(context: EvmContext, which: bigint | Aggregate): readonly EvmChainSource[] {
  if (typeof which === 'bigint') return [chainOf(context, which)]
  if (which === 'total') return context.chains
  return context.chains.filter((source) => kindOf(source) === which)
}
