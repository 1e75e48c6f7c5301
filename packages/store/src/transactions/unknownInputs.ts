import { Bytes, type ChainAlias } from '@firn/codec'
import { importOf, type UnknownInput } from '../internal/unknownInputs.ts'
import type { Network } from '../Store.ts'
import type { Details } from './pages.ts'

export type { UnknownInput } from '../internal/unknownInputs.ts'

/**
 * Returns the outputs of the C-chain that a transaction imports, if the database does not follow the C-chain and so does
 * not have these outputs. Returns an empty list for every other transaction.
 *
 * @example
 * ```ts
 * import { type Store, Transactions } from '@firn/store'
 *
 * declare const store: Store
 * declare const details: Transactions.Details // of a P-chain transaction
 * const network = await store.network()
 * const unknown = network === undefined ? [] : Transactions.unknownInputs(network, 'P', details)
 * ```
 */
export function unknownInputs(
  { followsCChain, genesis }: Pick<Network, 'followsCChain' | 'genesis'>,
  chain: ChainAlias,
  { name, bytes }: Pick<Details, 'name' | 'bytes'>,
): readonly UnknownInput[] {
  if (followsCChain || chain === 'C' || name !== 'ImportTx') return []
  const found = importOf(chain, bytes)
  return found !== undefined && Bytes.equals(found.from, genesis.cChain.blockchainId) ? found.inputs() : []
}
