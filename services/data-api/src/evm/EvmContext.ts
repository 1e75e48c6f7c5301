import { Bytes } from '@firn/codec'
import type { EvmChain, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import type { PageTokens } from '../front/PageToken.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import type { LedgerChains } from './LedgerChains.ts'

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

/** The networks that clients tell apart: what isn't the main one is for tests. */
export type NetworkKind = 'mainnet' | 'testnet'

/** The names that both go by. */
export const NETWORKS: ReadonlyMap<string, NetworkKind> = new Map([
  ['mainnet', 'mainnet'],
  ['testnet', 'testnet'],
  ['fuji', 'testnet'],
  ['local', 'testnet'],
])

/** What the endpoints over EVM chains work with. */
export interface EvmContext {
  /** Those that are stored; may grow. */
  readonly chains: readonly EvmChainSource[]
  /** Whether a chain is to be served, but not stored yet; no chain is if not given. */
  readonly isPending?: ((chainId: bigint) => boolean) | undefined
  /** The blockchains of the Primary Network that is served beside them; undefined where none is. */
  readonly ledgerChains?: LedgerChains | undefined
  /** Names of networks beside those of {@link NETWORKS}, such as an operator's alias. */
  readonly networkKinds?: ReadonlyMap<string, NetworkKind> | undefined
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
export function chainId(context: EvmContext): Parameter.Parameter<bigint> {
  return {
    ...Parameter.text('an EVM chain id or a blockchain id', (text) => {
      if (/^[0-9]{1,20}$/.test(text)) return BigInt(text)
      const blockchainId = Names.parseId(text)
      return blockchainId && (servedAs(context, blockchainId) ?? NONE)
    }),
    prepare: ([text = '']) => findBlockchain(context, text),
  }
}

/** Looks up a blockchain in the ledger, if a text is the id of one that no chain is known to have. */
export async function findBlockchain({ chains, ledgerChains }: EvmContext, text: string): Promise<void> {
  const id = Names.parseId(text)
  if (id === undefined || chains.some(({ chain }) => isSame(chain.blockchainId, id))) return
  await ledgerChains?.find(id)
}

/** Returns the EVM chain id of the served chain that a blockchain is; undefined for any other blockchain. */
export function servedAs(
  { chains, isPending, ledgerChains }: EvmContext,
  blockchainId: Uint8Array,
): bigint | undefined {
  const own = chains.find(({ chain }) => isSame(chain.blockchainId, blockchainId))
  if (own !== undefined) return own.chain.chainId
  const chainId = ledgerChains?.get(blockchainId)
  if (chainId !== undefined && isPending?.(chainId) === true) return chainId
  const served = chains.find(({ chain }) => chain.chainId === chainId)
  // Anybody may create a blockchain with the EVM chain id of another, which has a blockchain id of its own.
  return served?.chain.blockchainId === undefined ? served?.chain.chainId : undefined
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Bytes.equals(a, b)
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
