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

/** Returns a text that changes with each block of a chain, and with the operator's metadata and signatures. */
export async function versionOf({ store, metadata, abis }: EvmChainSource): Promise<string> {
  const { key } = await store.snapshot()
  return `${key} ${metadata?.revision ?? ''} ${abis?.revision ?? ''}`
}

/** Like {@link versionOf}, for answers with decoded data. Files of verified ABIs may change at any time. */
export async function decodedVersionOf(source: EvmChainSource, now: number): Promise<string> {
  const version = await versionOf(source)
  return source.abis?.hasVerified === true ? `${version} ${Math.floor(now / 1_000)}` : version
}
