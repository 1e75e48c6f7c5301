/** The token standard that a contract claims to implement. */
export type ContractKind = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN'

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
}
