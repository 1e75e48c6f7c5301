import { DataApiError } from '../DataApiError.ts'
import { chainId, chainOf, type EvmChainSource, type EvmContext } from '../evm/EvmContext.ts'
import * as Parameter from '../front/Parameter.ts'
import { METRICS, type MetricName } from './Metrics.ts'

/** Chains together: all, or those of a network. */
export const AGGREGATES = ['total', 'mainnet', 'testnet'] as const
export type Aggregate = (typeof AGGREGATES)[number]

/** The network that clients are told: they know two, and what isn't the main one is for tests. */
export function networkOf({ chain }: EvmChainSource): 'mainnet' | 'testnet' {
  return chain.network === 'mainnet' ? 'mainnet' : 'testnet'
}

/** `{chainId}` of metrics: one chain, or several together. */
export function metricsChain(context: EvmContext): Parameter.Parameter<bigint | Aggregate> {
  const one = chainId(context)
  return Parameter.text<bigint | Aggregate>(
    `${one.expected}, or one of ${AGGREGATES.join(', ')}`,
    (text) => AGGREGATES.find((name) => name === text) ?? one.parse([text]),
  )
}

/**
 * The chains that are meant, without those that don't have the metric.
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
  const message = `metric: ${name} is of calls inside of transactions, and the chain is stored without them`
  throw new DataApiError('DATA_NOT_FOUND', message)
}

function chainsOf(context: EvmContext, which: bigint | Aggregate): readonly EvmChainSource[] {
  if (typeof which === 'bigint') return [chainOf(context, which)]
  if (which === 'total') return context.chains
  return context.chains.filter((source) => networkOf(source) === which)
}
