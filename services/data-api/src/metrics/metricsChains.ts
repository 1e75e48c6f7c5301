import {
  chainId,
  chainOf,
  type EvmChainSource,
  type EvmContext,
  NETWORKS,
  type NetworkKind,
  wholeChains,
} from '../evm/chain/EvmContext.ts'
import { kindOf } from '../evm/chain/heads.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { METRICS, type MetricName } from './Metrics.ts'

/** A group of chains: all chains, or all chains of a network kind. */
export type Aggregate = 'total' | NetworkKind

/**
 * Returns the `{chainId}` parameter of metrics. It accepts one chain, `total`, or each name of a network for
 * all of its chains.
 */
export function metricsChain(context: EvmContext): Parameter.Parameter<bigint | Aggregate> {
  const one = chainId(context)
  const networks = [...NETWORKS, ...(context.networkKinds ?? [])]
  const names: ReadonlyMap<string, Aggregate> = new Map([
    ['total', 'total'] as const,
    // A number is the id of a chain.
    ...networks.filter(([name]) => !/^\d+$/.test(name)),
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
 * Returns the selected chains that support the metric.
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
  const message = `metric: ${name} requires internal calls, but this chain was indexed without traces`
  throw new DataApiError('DATA_NOT_FOUND', message)
}

/** Returns the number of selected chains; at least 1. */
export function countChains(context: EvmContext, which: bigint | Aggregate): number {
  return typeof which === 'bigint' ? 1 : Math.max(wholeChains(context).length, 1)
}

function chainsOf(context: EvmContext, which: bigint | Aggregate): readonly EvmChainSource[] {
  if (typeof which === 'bigint') return [chainOf(context, which)]
  if (which === 'total') return wholeChains(context)
  return wholeChains(context).filter((source) => kindOf(source) === which)
}
