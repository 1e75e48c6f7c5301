import type { ChainAlias } from '@firn/codec'

const EVM = 'evm:'
const PRIMARY = 'primary:'
const UNDELIVERED = 'undelivered:'

/** Returns the name of the source of an EVM chain's events. */
export function ofEvm(chainId: bigint): string {
  return `${EVM}${chainId}`
}

/** Returns the name of the source of the events of a chain of the Primary Network. */
export function ofPrimary(chain: ChainAlias): string {
  return `${PRIMARY}${chain}`
}

/** Returns the name of the source of the messages of an EVM chain that were not delivered in time. */
export function ofUndelivered(chainId: bigint): string {
  return `${UNDELIVERED}${chainId}`
}

/** Returns the chain id in the name of a source of {@link ofEvm}. */
export function evmChainId(source: string): bigint {
  return BigInt(source.slice(EVM.length))
}

/** Returns the chain in the name of a source of {@link ofPrimary}. */
export function primaryChain(source: string): ChainAlias {
  return source.slice(PRIMARY.length) as ChainAlias
}
