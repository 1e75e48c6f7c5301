import { Hex } from '@firn/codec'
import { EvmIcm, type EvmStore } from '@firn/evm-store'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Names from '../../primary/network/Names.ts'
import type { ChainAt } from '../chain/chainsSnapshots.ts'
import { type EvmContext, findBlockchain } from '../chain/EvmContext.ts'

/** A followed chain with the heights and blockchain id of its interchain messages. */
export interface IcmChain extends ChainAt {
  /** Blockchain id; undefined if it is not configured, and no message tells it. */
  readonly blockchainId: Uint8Array | undefined
  /** The blocks whose messages are stored; undefined if the chain has none. */
  readonly progress: EvmIcm.IcmProgress | undefined
}

/** The blockchain ids found in messages. They never change. */
const FOUND = new WeakMap<EvmStore, Uint8Array>()

/** Returns the chains with the state of their interchain messages. */
export function icmChains(at: readonly ChainAt[]): Promise<readonly IcmChain[]> {
  return Promise.all(
    at.map(async (chain) => {
      const { store } = chain.source
      const configured = chain.source.chain.blockchainId ?? FOUND.get(store)
      const blockchainId = configured ?? (await EvmIcm.blockchainId(store))
      if (blockchainId !== undefined) FOUND.set(store, blockchainId)
      return { ...chain, blockchainId, progress: await EvmIcm.progress(store) }
    }),
  )
}

/** Returns whether all messages of a chain up to the snapshot are stored. */
export function hasAll({ at, progress }: IcmChain): boolean {
  return progress?.isWhole === true && progress.next > at.height
}

/**
 * Returns the blockchain ids of the chains whose messages are known from the chains themselves. What other chains
 * received from them is not listed or counted again.
 */
export function knownSources(chains: readonly IcmChain[]): readonly Uint8Array[] {
  return chains.flatMap((chain) => (hasAll(chain) ? (chain.blockchainId ?? []) : []))
}

/** Returns the chain with a blockchain id, or undefined if it is not followed. */
export function chainWith(chains: readonly IcmChain[], id: Uint8Array): IcmChain | undefined {
  const digits = Hex.encodeBare(id)
  return chains.find(({ blockchainId }) => blockchainId && Hex.encodeBare(blockchainId) === digits)
}

/** A blockchain as given by a caller: its EVM chain id or its blockchain id. */
export type Blockchain = bigint | Uint8Array

/** Returns the parameter for a blockchain. */
export function blockchain(context: EvmContext): Parameter.Parameter<Blockchain> {
  return {
    ...Parameter.text<Blockchain>(
      'a blockchain id in cb58, or the EVM chain id of a served chain',
      (text) => {
        if (/^[0-9]{1,20}$/.test(text)) return BigInt(text)
        return Names.parseId(text)
      },
    ),
    prepare: ([text = '']) => findBlockchain(context, text),
  }
}

/**
 * Returns the blockchain id that a caller means. An EVM chain id that no followed chain has is an id that no message has.
 */
export function idOf(chains: readonly IcmChain[], given: Blockchain | undefined): Uint8Array | undefined {
  if (typeof given !== 'bigint') return given
  const found = chains.find(({ source }) => source.chain.chainId === given)
  return found?.blockchainId ?? new Uint8Array()
}

/** Returns the EVM chain id of a blockchain as text; `unknown` if neither a followed chain nor the ledger tells it. */
export async function evmChainIdText(
  context: EvmContext,
  chains: readonly IcmChain[],
  blockchainId: Uint8Array,
): Promise<string> {
  const followed = chainWith(chains, blockchainId)
  if (followed !== undefined) return String(followed.source.chain.chainId)
  await context.ledgerChains?.find(blockchainId)
  return context.ledgerChains?.get(blockchainId)?.toString() ?? 'unknown'
}
