import { Id } from '@firn/codec'
import { methodError } from './Service.ts'

/** The chain that an alias refers to. */
export interface NamedChain {
  /** The chain's id, 32 bytes. */
  readonly id: Uint8Array
}

/**
 * Registry of the aliases of the chains that this node runs. Each alias belongs to one chain. A chain can
 * have many aliases, which are kept in the order in which they were added.
 */
export interface Aliases {
  /**
   * Returns the chain with the given alias, or undefined if no chain has it. A node adds the cb58 id of each
   * chain as an alias too.
   */
  lookup(alias: string): NamedChain | undefined
  /** Returns the first alias of a chain, or its cb58 id if it has no alias. */
  primaryAlias(id: Uint8Array): string
  /** Returns all aliases of a chain, oldest first, or undefined if it has none. */
  aliases(id: Uint8Array): readonly string[] | undefined
  /** Returns the chain ids in the order in which each chain got its first alias. */
  chains(): readonly Uint8Array[]
  /**
   * Adds an alias for a chain.
   * @throws RpcError `RPC_REMOTE` with the node's text `alias already mapped to an ID: …`
   */
  add(id: Uint8Array, alias: string): void
  /**
   * Registers a listener that is called after each new alias. Returns a function that removes the listener.
   */
  onChange(listener: () => void): () => void
}

/**
 * Creates an empty alias registry.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { createAliases } from '@firn/node-api'
 *
 * const chains = createAliases()
 * chains.add(Id.EMPTY, 'P')
 * chains.primaryAlias(Id.EMPTY) // 'P'
 * ```
 */
export function createAliases(): Aliases {
  const byAlias = new Map<string, NamedChain>()
  const byId = new Map<string, string[]>()
  const ids: Uint8Array[] = []
  const listeners = new Set<() => void>()
  return {
    lookup: (alias) => byAlias.get(alias),
    primaryAlias: (id) => byId.get(Id.format(id))?.[0] ?? Id.format(id),
    aliases: (id) => byId.get(Id.format(id)),
    chains: () => ids,
    add(id, alias) {
      if (byAlias.has(alias)) throw methodError(`alias already mapped to an ID: ${alias}`)
      byAlias.set(alias, { id })
      const text = Id.format(id)
      const names = byId.get(text)
      if (names === undefined) ids.push(id)
      byId.set(text, [...(names ?? []), alias])
      for (const listener of listeners) listener()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
