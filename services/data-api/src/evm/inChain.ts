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

/** The version of answers that change with the chain's blocks alone; what is known of tokens and native balances changes without one. */
export function perBlock(context: EvmContext) {
  return async ({ path }: { readonly path: { readonly chainId: bigint } }) =>
    (await chainOf(context, path.chainId).store.snapshot()).key
}
