import { chainId, chainOf, type EvmChainSource, type EvmContext } from './EvmContext.ts'

/** Returns the path parameters of every list over one chain. */
export function ofChain(context: EvmContext) {
  return { chainId: chainId(context) }
}

/**
 * Returns the cache version of answers that change only with new blocks. Do not use it for answers with token
 * metadata or native balances, because such answers also change between blocks.
 */
export function perBlock(context: EvmContext) {
  return ({ path }: { readonly path: { readonly chainId: bigint } }) =>
    versionOf(chainOf(context, path.chainId))
}

/** Returns a text that changes with each block of a chain, and with the operator's metadata. */
export async function versionOf({ store, metadata }: EvmChainSource): Promise<string> {
  const { key } = await store.snapshot()
  return metadata === undefined ? key : `${key} ${metadata.revision}`
}
