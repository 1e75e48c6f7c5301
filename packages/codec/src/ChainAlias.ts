/** Aliases of the Primary Network's chains, in the order in which a node creates them. */
export const CHAIN_ALIASES = ['P', 'X', 'C'] as const

/** Alias of a chain of the Primary Network, as in the address `P-avax1…`. */
export type ChainAlias = (typeof CHAIN_ALIASES)[number]
