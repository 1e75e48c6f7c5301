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
    versionOf(chainOf(context, path.chainId), context.now())
}

/**
 * Returns a text that changes with each block of a chain, and with the operator's metadata and signatures. Files of
 * verified ABIs, which name methods and contracts, may change at any time, so with them it changes each second.
 */
export async function versionOf({ store, metadata, abis }: EvmChainSource, now: number): Promise<string> {
  // The sequence number also changes when internal calls are added to a stored block.
  const { key, sequence } = await store.snapshot()
  const second = abis?.hasVerified === true ? Math.floor(now / 1_000) : ''
  return `${key} ${sequence} ${metadata?.revision ?? ''} ${abis?.revision ?? ''} ${second}`
}
