import { chainId, chainOf, type EvmContext } from './EvmContext.ts'
import { evmSnapshots } from './evmSnapshots.ts'

/** Returns the common part of all lists over a chain. */
export function inChain(context: EvmContext) {
  return {
    tag: 'EVM',
    scope: 'data',
    units: 20,
    tokens: context.tokens,
    snapshots: (path: { readonly chainId: bigint }) => evmSnapshots(chainOf(context, path.chainId).store),
  } as const
}

/** Returns their common path parameters. */
export function ofChain(context: EvmContext) {
  return { chainId: chainId(context) }
}

/**
 * Returns the version of answers that change only with the chain's blocks; token metadata and native balances
 * also change without one.
 */
export function perBlock(context: EvmContext) {
  return async ({ path }: { readonly path: { readonly chainId: bigint } }) =>
    (await chainOf(context, path.chainId).store.snapshot()).key
}
