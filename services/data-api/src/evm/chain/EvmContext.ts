import { Bytes, Network } from '@firn/codec'
import type { EvmChain, EvmStore } from '@firn/evm-store'
import type { AbiSources } from '../../decoding/AbiSources.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { PageTokens } from '../../http/endpoint/PageToken.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { Metadata } from '../../metadata/Metadata.ts'
import * as Names from '../../primary/network/Names.ts'
import { kindsOf, type NetworkKind } from '../../primary/network/NetworkNames.ts'
import type { Aggregate } from '../../upstream/AggregatorClient.ts'
import type { LedgerChains } from './LedgerChains.ts'

/** An EVM chain that the service serves. */
export interface EvmChainSource {
  readonly chain: EvmChain
  readonly store: EvmStore
  /** What the operator says about the chain, its tokens and addresses; undefined if nothing. */
  readonly metadata?: Metadata | undefined
  /** ABIs and signatures for decoding; by default of common standards. */
  readonly abis?: AbiSources | undefined
}

export type { NetworkKind }

/** Accepted names of the standard networks, with the kind of each network. */
export const NETWORKS: ReadonlyMap<string, NetworkKind> = new Map(
  [Network.MAINNET, Network.FUJI, Network.LOCAL].flatMap((networkId) => [...kindsOf(networkId)]),
)

/** Dependencies of the EVM endpoints. */
export interface EvmContext {
  /** Stored chains that the service serves. The list can grow while the service runs. */
  readonly chains: readonly EvmChainSource[]
  /** Returns whether a chain is configured but not stored yet. By default, no chain is pending. */
  readonly isPending?: ((chainId: bigint) => boolean) | undefined
  /**
   * EVM chain ids of the blockchains in the Primary Network's ledger; undefined if the Primary Network is not served.
   */
  readonly ledgerChains?: LedgerChains | undefined
  /** Accepted network names in addition to {@link NETWORKS}, such as an operator's alias. */
  readonly networkKinds?: ReadonlyMap<string, NetworkKind> | undefined
  readonly tokens: PageTokens
  /** Requests signatures of Warp messages; undefined if no signature aggregator is configured. */
  readonly aggregate?: Aggregate | undefined
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /**
   * Requests the balance of an address (20 bytes) at the end of a block from a node, in wei. Undefined if no
   * nodes are configured.
   * @throws DataApiError `DATA_UPSTREAM`, `DATA_UNAVAILABLE`
   */
  readonly nativeBalance?:
    | ((chain: EvmChain, address: Uint8Array, height: bigint, signal: AbortSignal) => Promise<bigint>)
    | undefined
  /**
   * Makes read-only calls at the end of a block with a node, in one batch. The result of a call is undefined if it
   * reverts or no node answers. Undefined if no nodes are configured.
   */
  readonly callContracts?:
    | ((
        chain: EvmChain,
        calls: readonly { readonly to: Uint8Array; readonly data: `0x${string}` }[],
        height: bigint,
        signal: AbortSignal,
      ) => Promise<readonly unknown[]>)
    | undefined
}

/** Placeholder id that matches no chain. */
const NONE = -1n

/**
 * Returns the parameter `{chainId}`. It accepts an EVM chain id in decimal or a blockchain id in cb58, and
 * gives the EVM chain id.
 */
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

/** If `text` is a blockchain id that no served chain has, looks up the blockchain's EVM chain id in the ledger. */
export async function findBlockchain({ chains, ledgerChains }: EvmContext, text: string): Promise<void> {
  const id = Names.parseId(text)
  if (id === undefined || chains.some(({ chain }) => isSame(chain.blockchainId, id))) return
  await ledgerChains?.find(id)
}

/**
 * Returns the EVM chain id of the served chain with this blockchain id, or undefined if no such chain is
 * served.
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
  // A configured blockchain id takes precedence, because anyone can reuse another chain's EVM chain id.
  return served?.chain.blockchainId === undefined ? served?.chain.chainId : undefined
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Bytes.equals(a, b)
}

/**
 * Returns the served chain with an EVM chain id, whose blocks are stored with their transactions.
 * @throws DataApiError `DATA_NOT_FOUND`; `DATA_UNAVAILABLE` while the chain is not stored yet
 */
export function chainOf(context: EvmContext, chainId: bigint): EvmChainSource {
  const found = anyChainOf(context, chainId)
  if (found.chain.isEventsOnly !== true) return found
  const message = `chainId: only the events of chain ${chainId} are stored (--events-only); see /v1/chains/${chainId}/events/{name} and /logs`
  throw new DataApiError('DATA_NOT_FOUND', message)
}

/** Returns the served chains whose blocks are stored with their transactions. */
export function wholeChains({ chains }: EvmContext): readonly EvmChainSource[] {
  return chains.filter(({ chain }) => chain.isEventsOnly !== true)
}

/**
 * Returns the served chain with an EVM chain id, even if only its events are stored.
 * @throws DataApiError `DATA_NOT_FOUND`; `DATA_UNAVAILABLE` while the chain is not stored yet
 */
export function anyChainOf({ chains, isPending }: EvmContext, chainId: bigint): EvmChainSource {
  const found = chains.find(({ chain }) => chain.chainId === chainId)
  if (found !== undefined) return found
  if (isPending?.(chainId) !== true)
    throw new DataApiError(
      'DATA_NOT_FOUND',
      'chainId: this service does not serve this chain; GET /v1/chains lists the served chains',
    )
  throw new DataApiError('DATA_UNAVAILABLE', `chain ${chainId} is not stored yet; try again later`)
}
