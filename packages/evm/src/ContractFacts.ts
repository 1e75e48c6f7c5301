/** The token standard that a contract claims to implement. */
export type ContractKind = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN'

/** How a contract names the contract whose code it runs; `NONE` if it is not a proxy. */
export const PROXY_KINDS = [
  'NONE',
  'EIP-1167',
  'EIP-1967',
  'EIP-1967-BEACON',
  'EIP-1822',
  'ZEPPELINOS',
] as const
export type ProxyKind = (typeof PROXY_KINDS)[number]

/** Where a contract has its code. */
export interface ProxyFacts {
  readonly kind: ProxyKind
  /** Contract whose code a proxy runs; undefined if it is not known, or not a proxy. */
  readonly implementation: Uint8Array | undefined
  /** Contract that tells several proxies their implementation; undefined for other kinds. */
  readonly beacon: Uint8Array | undefined
}

/**
 * Token data that a contract returned. Texts are the original bytes, which may contain invalid UTF-8 and NUL
 * characters.
 */
export interface ContractFacts {
  readonly address: Uint8Array
  readonly kind: ContractKind
  /** Name of the token; undefined if the contract does not provide one. */
  readonly name: Uint8Array | undefined
  readonly symbol: Uint8Array | undefined
  /** Number of decimals, from 0 to 255; undefined if the contract does not provide it. */
  readonly decimals: number | undefined
  /** Whether the contract is a proxy, and of what; undefined if nodes do not tell its code or storage. */
  readonly proxy?: ProxyFacts | undefined
  /**
   * Whether the values in its ERC-20 transfer logs are ids of ERC-721 tokens, as in CryptoKitties; undefined if no value
   * was known when the contract was read.
   */
  readonly valuesAreIds?: boolean | undefined
}
