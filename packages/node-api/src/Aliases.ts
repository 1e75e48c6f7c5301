import { Id } from '@firn/codec'
import { methodError } from './Service.ts'

/** The chain that an alias refers to. */
export interface NamedChain {
  /** 32 bytes. */
  readonly id: Uint8Array
}

/**
 * The aliases of the chains that this node runs: one id per alias, many aliases per id, in the order of their
 * creation.
 */
export interface Aliases {
  /**
   * Returns the chain with this alias; the text of its id counts as an alias too. Returns undefined if there
   * is none.
   */
  lookup(alias: string): NamedChain | undefined
  /** Returns the first alias of a chain, or the text of its id if it has none. */
  primaryAlias(id: Uint8Array): string
  /** Returns all aliases of a chain, oldest first; undefined for a chain without any. */
  aliases(id: Uint8Array): readonly string[] | undefined
  /** Returns the chains in the order of their first aliases. */
  chains(): readonly Uint8Array[]
  /**
   * Adds an alias for a chain.
   * @throws RpcError `RPC_REMOTE` `alias already mapped to an ID: …`, which is the node's text
   */
  add(id: Uint8Array, alias: string): void
  /** Calls the listener after every addition; returns a function that unsubscribes it. */
  onChange(listener: () => void): () => void
}

/** Returns an empty registry. */
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
