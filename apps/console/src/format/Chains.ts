import type { ChainAlias } from '@firn/codec'

/** The chains of the Primary Network: letter, and name in the paths of the Data API. */
export const CHAINS = { P: 'p-chain', X: 'x-chain', C: 'c-chain' } as const satisfies Record<
  ChainAlias,
  string
>
export type ChainName = (typeof CHAINS)[ChainAlias]
export const ALIASES = ['P', 'X', 'C'] as const

/** Returns the letter in a path, or P for any other text. */
export function aliasOf(text: string | undefined): ChainAlias {
  const letter = (text ?? '').toUpperCase().replace(/-CHAIN$/, '')
  return ALIASES.find((alias) => alias === letter) ?? 'P'
}

/** Id of the Primary Network as a subnet, which is also the id of the P-chain. */
export const PRIMARY_NETWORK_ID = '11111111111111111111111111111111LpoYY'
