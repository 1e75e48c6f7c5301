import { chainId, chainOf, type EvmChainSource, type EvmContext } from '../evm/EvmContext.ts'
import * as Parameter from '../front/Parameter.ts'

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
 * The chains that are meant.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function chainsOf(context: EvmContext, which: bigint | Aggregate): readonly EvmChainSource[] {
  if (typeof which === 'bigint') return [chainOf(context, which)]
  if (which === 'total') return context.chains
  return context.chains.filter((source) => networkOf(source) === which)
}
