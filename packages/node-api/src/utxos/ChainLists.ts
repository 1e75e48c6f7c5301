import { CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import { type Snapshot, Utxos } from '@firn/store'
import type { NodeContext } from '../Context.ts'
import * as CChain from '../internal/CChain.ts'
import type { Lists } from './Paging.ts'

/** Returns the id (32 bytes) of a chain of the Primary Network. */
export function idOf({ genesis }: Pick<NodeContext, 'genesis'>, chain: ChainAlias): Uint8Array {
  if (chain === 'P') return Id.EMPTY
  return chain === 'X' ? genesis.xChain.blockchainId : genesis.cChain.blockchainId
}

/**
 * Returns the alias of a chain; undefined for chains outside the Primary Network, which have no shared
 * memory.
 */
export function aliasOf(context: Pick<NodeContext, 'genesis'>, chainId: Uint8Array): ChainAlias | undefined {
  return CHAIN_ALIASES.find((chain) => Buffer.compare(idOf(context, chain), chainId) === 0)
}

/**
 * Returns the lists of UTXOs that can be spent on a chain and were created on the source chain, which may be
 * the same chain. The lists are empty without a source chain.
 * @throws RpcError `RPC_REMOTE` if the source is the C-chain and the store does not follow it
 */
export function of(
  { store, followsCChain }: Pick<NodeContext, 'store' | 'followsCChain'>,
  at: Snapshot,
  chain: ChainAlias,
  source: ChainAlias | undefined,
): Lists<Utxos.OwnedUtxo> {
  if (source === 'C') CChain.assertFollowed({ followsCChain }, 'the UTXOs that the C-chain exported are')
  if (source === undefined) return { list: async () => [], ageOf: async () => undefined }
  return {
    list: (addresses, after, limit) => Utxos.list(store, at, { chain, source, addresses, after, limit }),
    ageOf: (address, utxoId) => Utxos.ageOf(store, at, { chain, source }, address, utxoId),
  }
}
