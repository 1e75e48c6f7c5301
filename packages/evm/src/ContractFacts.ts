/** The token standard that a contract claims. */
export type ContractKind = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN'

/**
 * A contract and the facts read from it. Texts are the bytes that the contract returned: they may be invalid
 * UTF-8 and may contain NULs.
 */
export interface ContractFacts {
  readonly address: Uint8Array
  readonly kind: ContractKind
  /** Undefined where the contract does not provide one. */
  readonly name: Uint8Array | undefined
  readonly symbol: Uint8Array | undefined
  /** From 0 to 255. */
  readonly decimals: number | undefined
}
