import { Bytes, Id } from '@firn/codec'
import { type Genesis, Networks } from '@firn/genesis'
import { type Aliases, createAliases } from './Aliases.ts'
import type { Routes } from './Routes.ts'

/** Letter of a chain of the Primary Network. */
export type Letter = keyof typeof Networks.CHAINS

/** The chains of the Primary Network in the order in which a node creates them. */
export const LETTERS: readonly Letter[] = ['P', 'X', 'C']

/** Returns the 32-byte id of each chain of the Primary Network. */
export function ids(
  genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>,
): Readonly<Record<Letter, Uint8Array>> {
  return {
    P: Networks.PRIMARY_NETWORK_ID,
    X: genesis.xChain.blockchainId,
    C: genesis.cChain.blockchainId,
  }
}

/** Additional chain aliases by the chain's cb58 id. */
export type FurtherNames = ReadonlyMap<string, readonly string[]>

/**
 * Returns the chain aliases in the order in which a node adds them: built-in aliases, configured aliases, and
 * finally the chain's cb58 id when the chain is created.
 */
export function createNames(
  genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>,
  further: FurtherNames,
): Aliases {
  const names = createAliases()
  const byLetter = ids(genesis)
  for (const letter of LETTERS)
    for (const alias of Networks.CHAINS[letter].aliases) names.add(byLetter[letter], alias)
  for (const [id, aliases] of further) for (const alias of aliases) names.add(Id.parse(id), alias)
  for (const letter of LETTERS) names.add(byLetter[letter], Id.format(byLetter[letter]))
  return names
}

/** Returns the base path of a chain, without `/ext/`. */
export function baseOf(chainId: Uint8Array): string {
  return `bc/${Id.format(chainId)}`
}

/**
 * Adds the standard paths of the Primary Network's chains, such as `/ext/P`, `/ext/bc/P` and `/ext/platform`.
 */
export function addPaths(routes: Routes, genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>): void {
  const byLetter = ids(genesis)
  for (const letter of LETTERS)
    for (const alias of Networks.apiAliases(letter)) routes.alias(baseOf(byLetter[letter]), alias)
}

/** Returns whether an id belongs to a chain of the Primary Network. */
export function isPrimary(chainId: Uint8Array, genesis: Pick<Genesis.Genesis, 'xChain' | 'cChain'>): boolean {
  return Object.values(ids(genesis)).some((id) => Bytes.equals(id, chainId))
}
