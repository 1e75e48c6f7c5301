import { chainId, chainOf, type EvmContext } from './EvmContext.ts'
import { evmSnapshots } from './evmSnapshots.ts'

/** What all lists over a chain have in common. */
export function inChain(context: EvmContext) {
  return {
    tag: 'EVM',
    scope: 'data',
    units: 20,
    tokens: context.tokens,
    snapshots: (path: { readonly chainId: bigint }) => evmSnapshots(chainOf(context, path.chainId).store),
  } as const
}

/** The path parameters that they begin with. */
export function ofChain(context: EvmContext) {
  return { chainId: chainId(context) }
}
