import { Bytes } from '@firn/codec'
import type { EvmChain, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import type { PageTokens } from '../front/PageToken.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import type { LedgerChains } from './LedgerChains.ts'

/** A served chain. */
export interface EvmChainSource {
  readonly chain: EvmChain
  readonly store: EvmStore
  /** URLs for wallets and pages, as in `/v1/chains`; undefined if unknown. */
  readonly links?: EvmLinks | undefined
}

/** URLs that only the operator knows. */
export interface EvmLinks {
  readonly rpcUrl?: string | undefined
  readonly wsUrl?: string | undefined
  readonly explorerUrl?: string | undefined
  readonly logoUri?: string | undefined
}

/** The kinds of networks that clients distinguish: every network other than Mainnet is a testnet. */
export type NetworkKind = 'mainnet' | 'testnet'

/** Accepted names of both kinds. */
export const NETWORKS: ReadonlyMap<string, NetworkKind> = new Map([
  ['mainnet', 'mainnet'],
  ['testnet', 'testnet'],
  ['fuji', 'testnet'],
  ['local', 'testnet'],
])

/** Dependencies of the EVM endpoints. */
export interface EvmContext {
  /** The stored chains; may grow. */
  readonly chains: readonly EvmChainSource[]
  /** Returns whether a chain will be served but is not stored yet; by default none. */
  readonly isPending?: ((chainId: bigint) => boolean) | undefined
  /** The blockchains of the Primary Network that is also served; undefined if it is not. */
  readonly ledgerChains?: LedgerChains | undefined
  /** Additional names of networks besides {@link NETWORKS}, such as an operator's alias. */
  readonly networkKinds?: ReadonlyMap<string, NetworkKind> | undefined
  readonly tokens: PageTokens
  /** Milliseconds since 1970. */
  readonly now: () => number
  /**
   * Returns the balance of an address (20 bytes) at the end of a block, in wei, from a node of the chain;
   * undefined without a node.
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

/** Looks up a blockchain in the ledger, if the text is the id of an unknown one. */
export async function findBlockchain({ chains, ledgerChains }: EvmContext, text: string): Promise<void> {
  const id = Names.parseId(text)
  if (id === undefined || chains.some(({ chain }) => isSame(chain.blockchainId, id))) return
  await ledgerChains?.find(id)
}

/**
 * Returns the EVM chain id of the served chain with this blockchain id; undefined for any other blockchain.
 */
export function servedAs(
  { chains, isPending, ledgerChains }: EvmContext,
  blockchainId: Uint8Array,
): bigint | undefined {
  const own = chains.find(({ chain }) => isSame(chain.blockchainId, blockchainId))
  if (own !== undefined) return own.chain.chainId
  const chainId = ledgerChains?.get(blockchainId)
  if (chainId !== undefined && isPending?.(chainId) === true) return chainId
  const served = chains.find(({ chain }) => chain.chainId === chainId)
  // Anyone may create a blockchain with the EVM chain id of another; it has a blockchain id of its own.
  return served?.chain.blockchainId === undefined ? served?.chain.chainId : undefined
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Bytes.equals(a, b)
}

/**
 * Returns the chain with an EVM chain id.
 * @throws DataApiError `DATA_NOT_FOUND`, `DATA_UNAVAILABLE` while the chain is not stored yet
 */
export function chainOf({ chains, isPending }: EvmContext, chainId: bigint): EvmChainSource {
  const found = chains.find(({ chain }) => chain.chainId === chainId)
  if (found !== undefined) return found
  if (isPending?.(chainId) !== true)
    throw new DataApiError('DATA_NOT_FOUND', 'chainId: this service does not serve the chain')
  throw new DataApiError('DATA_UNAVAILABLE', `chain ${chainId} is not stored yet; try again later`)
}
