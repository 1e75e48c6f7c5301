import { Id } from '@firn/codec'
import { methodError } from './Service.ts'

/** A chain that a name stands for. */
export interface NamedChain {
  /** 32 bytes. */
  readonly id: Uint8Array
}

/** The names of the chains that this node runs: one id per name, many names per id, in the order in which they came. */
export interface Aliases {
  /** Returns the chain with this name; its id's text is a name like the others. Undefined: nobody has it. */
  lookup(alias: string): NamedChain | undefined
  /** Returns the first name of a chain, or its id's text when it has none. */
  primaryAlias(id: Uint8Array): string
  /** Returns all names of a chain, oldest first; undefined for a chain that has none. */
  aliases(id: Uint8Array): readonly string[] | undefined
  /** Returns the chains in the order of their first names. */
  chains(): readonly Uint8Array[]
  /**
   * Gives a chain one more name.
   * @throws RpcError `RPC_REMOTE` `alias already mapped to an ID: …`, which is the node's text
   */
  add(id: Uint8Array, alias: string): void
  /** Calls the listener after every addition; returns how to stop that. */
  onChange(listener: () => void): () => void
}

/** Returns a registry without names. */
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
