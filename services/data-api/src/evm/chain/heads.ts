import { isFirnError } from '@firn/codec'
import type { EvmSnapshot } from '@firn/evm-store'
import type { EvmChainSource, NetworkKind } from './EvmContext.ts'
import { isUnserved } from './isUnserved.ts'

/** Returns the network kind of a chain. */
export function kindOf({ chain }: Pick<EvmChainSource, 'chain'>): NetworkKind {
  return chain.network === 'mainnet' ? 'mainnet' : 'testnet'
}

/** Returns whether a chain has the given network kind; true for every chain if `network` is undefined. */
export function isOf({ chain }: EvmChainSource, network: NetworkKind | undefined): boolean {
  return network === undefined || kindOf({ chain }) === network
}

/** Returns the newest block of a chain, or undefined if no block is indexed yet. */
export async function headOf({ store }: EvmChainSource): Promise<EvmSnapshot | undefined> {
  try {
    return await store.snapshot()
  } catch (error) {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}

/**
 * Returns the newest block of a chain like {@link headOf}, but undefined if the chain is not served. Answers over
 * all chains omit such chains.
 */
export async function headIfServed(source: EvmChainSource): Promise<EvmSnapshot | undefined> {
  try {
    return await headOf(source)
  } catch (error) {
    if (isUnserved(error)) return undefined
    throw error
  }
}

/**
 * Returns the height and time of the newest of the given blocks, for the response headers of an answer over
 * several chains.
 */
export function newestOf(heads: readonly (EvmSnapshot | undefined)[]) {
  const newest = heads.reduce(
    (a, b) => (a === undefined || (b !== undefined && b.time > a.time) ? b : a),
    undefined,
  )
  return { height: newest?.height ?? 0n, time: newest?.time ?? 0n }
}
