import { chainId, chainOf, type EvmContext } from './EvmContext.ts'

/** Returns the path parameters of every list over one chain. */
export function ofChain(context: EvmContext) {
  return { chainId: chainId(context) }
}

/**
 * Returns the cache version of answers that change only with new blocks. Do not use it for answers with token
 * metadata or native balances, because such answers also change between blocks.
 */
export function perBlock(context: EvmContext) {
  return async ({ path }: { readonly path: { readonly chainId: bigint } }) =>
    (await chainOf(context, path.chainId).store.snapshot()).key
}
