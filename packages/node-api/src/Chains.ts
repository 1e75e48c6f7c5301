import { Bytes, CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import { type Genesis, Networks } from '@firn/genesis'
import { type Aliases, createAliases } from './Aliases.ts'
import type { Routes } from './Routes.ts'

/**
 * Returns the 32-byte id of each chain of the Primary Network.
 * @example
 * ```ts
 * import type { Genesis } from '@firn/genesis'
 * import { Chains } from '@firn/node-api'
 *
 * declare const genesis: Genesis.Genesis
 * const { X, C } = Chains.ids(genesis)
 * ```
 */
export function ids(
  genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>,
): Readonly<Record<ChainAlias, Uint8Array>> {
  return {
    P: Networks.PRIMARY_NETWORK_ID,
    X: genesis.xChain.blockchainId,
    C: genesis.cChain.blockchainId,
  }
}

/** Additional chain aliases by the chain's cb58 id. */
export type FurtherNames = ReadonlyMap<string, readonly string[]>

/**
 * Creates the aliases of the Primary Network's chains in the order in which a node adds them: built-in
 * aliases, configured aliases, and finally each chain's cb58 id.
 * @example
 * ```ts
 * import type { Genesis } from '@firn/genesis'
 * import { Chains } from '@firn/node-api'
 *
 * declare const genesis: Genesis.Genesis
 * const chains = Chains.createNames(genesis, new Map())
 * chains.lookup('P') // the P-chain
 * ```
 * @throws CodecError if a configured chain id is malformed; RpcError `RPC_REMOTE` if an alias is already
 * taken
 */
export function createNames(
  genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>,
  further: FurtherNames,
): Aliases {
  const names = createAliases()
  const byAlias = ids(genesis)
  for (const chain of CHAIN_ALIASES)
    for (const alias of Networks.CHAINS[chain].aliases) names.add(byAlias[chain], alias)
  for (const [id, aliases] of further) for (const alias of aliases) names.add(Id.parse(id), alias)
  for (const chain of CHAIN_ALIASES) names.add(byAlias[chain], Id.format(byAlias[chain]))
  return names
}

/**
 * Returns the base path of a chain, without `/ext/`.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Chains } from '@firn/node-api'
 *
 * Chains.baseOf(Id.EMPTY) // 'bc/11111111111111111111111111111111LpoYY'
 * ```
 * @throws CodecError `CODEC_ID` if the chain id is not 32 bytes long
 */
export function baseOf(chainId: Uint8Array): string {
  return `bc/${Id.format(chainId)}`
}

/**
 * Adds the standard paths of the Primary Network's chains, such as `/ext/P`, `/ext/bc/P` and `/ext/platform`.
 * @example
 * ```ts
 * import type { Genesis } from '@firn/genesis'
 * import { Chains, createRoutes } from '@firn/node-api'
 *
 * declare const genesis: Genesis.Genesis
 * const routes = createRoutes()
 * Chains.addPaths(routes, genesis)
 * ```
 * @throws RpcError `RPC_REMOTE` if a path is already in use
 */
export function addPaths(routes: Routes, genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>): void {
  const byAlias = ids(genesis)
  for (const chain of CHAIN_ALIASES)
    for (const alias of Networks.apiAliases(chain)) routes.alias(baseOf(byAlias[chain]), alias)
}

/**
 * Returns whether an id belongs to a chain of the Primary Network.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import type { Genesis } from '@firn/genesis'
 * import { Chains } from '@firn/node-api'
 *
 * declare const genesis: Genesis.Genesis
 * Chains.isPrimary(Id.EMPTY, genesis) // true
 * ```
 */
export function isPrimary(chainId: Uint8Array, genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>): boolean {
  return Object.values(ids(genesis)).some((id) => Bytes.equals(id, chainId))
}
