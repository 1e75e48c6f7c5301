import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'

/**
 * Current problems by name. Each problem can be cleared separately. The name of a problem of one chain ends with the
 * chain's alias.
 */
export interface Problems {
  set(name: string, words: string): void
  clear(name: string): void
  clearAll(): void
  list(): readonly string[]
  /** Returns the problems of a chain, and of all chains together. */
  listOf(chain: ChainAlias): readonly string[]
}

/** Creates an empty list of problems. */
export function create(): Problems {
  const problems = new Map<string, string>()
  return {
    set: (name, words) => void problems.set(name, words),
    clear: (name) => void problems.delete(name),
    clearAll: () => problems.clear(),
    list: () => [...problems.values()],
    listOf(chain) {
      const others = CHAIN_ALIASES.filter((one) => one !== chain)
      const isOfOther = (name: string) => others.some((other) => name.endsWith(` ${other}`))
      return [...problems].filter(([name]) => !isOfOther(name)).map(([, words]) => words)
    },
  }
}
