import { Bytes, Id } from '@firn/codec'
import type { EvmChain, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import type { PageTokens } from '../front/PageToken.ts'
import * as Parameter from '../front/Parameter.ts'

/** A chain that is served. */
export interface EvmChainSource {
  readonly chain: EvmChain
  readonly store: EvmStore
  /** What wallets and pages reach it by, as `/v1/chains` tells; undefined: nothing to tell. */
  readonly links?: EvmLinks | undefined
}

/** URLs that only the operator knows. */
export interface EvmLinks {
  readonly rpcUrl?: string | undefined
  readonly wsUrl?: string | undefined
  readonly explorerUrl?: string | undefined
  readonly logoUri?: string | undefined
}

/** What the endpoints over EVM chains work with. */
export interface EvmContext {
  /** Those that are stored; may grow. */
  readonly chains: readonly EvmChainSource[]
  /** Whether a chain is to be served, but not stored yet; no chain is if not given. */
  readonly isPending?: ((chainId: bigint) => boolean) | undefined
  readonly tokens: PageTokens
  /** Milliseconds since 1970. */
  readonly now: () => number
  /**
   * What an address (20 bytes) held at the end of a block, in wei, as a node of the chain says; undefined where there is no node to
   * ask.
   * @throws DataApiError `DATA_UPSTREAM`, `DATA_UNAVAILABLE`
   */
  readonly nativeBalance?:
    | ((chain: EvmChain, address: Uint8Array, height: bigint, signal: AbortSignal) => Promise<bigint>)
    | undefined
}

/** No chain has this id. */
const NONE = -1n

/** `{chainId}`: the EVM chain id in decimal or the blockchain id in cb58; its value is the EVM chain id. */
export function chainId({ chains }: EvmContext): Parameter.Parameter<bigint> {
  const isOf = (blockchainId: Uint8Array) => (source: EvmChainSource) =>
    source.chain.blockchainId !== undefined && Bytes.equals(source.chain.blockchainId, blockchainId)
  return Parameter.text('an EVM chain id or a blockchain id', (text) => {
    if (/^[0-9]{1,20}$/.test(text)) return BigInt(text)
    try {
      return chains.find(isOf(Id.parse(text)))?.chain.chainId ?? NONE
    } catch {
      return undefined
    }
  })
}

/**
 * The chain with an EVM chain id.
 * @throws DataApiError `DATA_NOT_FOUND`, `DATA_UNAVAILABLE` while the chain is not stored yet
 */
export function chainOf({ chains, isPending }: EvmContext, chainId: bigint): EvmChainSource {
  const found = chains.find(({ chain }) => chain.chainId === chainId)
  if (found !== undefined) return found
  if (isPending?.(chainId) !== true)
    throw new DataApiError('DATA_NOT_FOUND', 'chainId: this service has no such chain')
  throw new DataApiError('DATA_UNAVAILABLE', `nothing of chain ${chainId} is stored yet; try again later`)
}
