/** What a contract is, as it says itself. */
export type ContractKind = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN'

/** A contract and what was read from it. Texts are the bytes that the contract gave: they may be no UTF-8 and may have NULs. */
export interface ContractFacts {
  readonly address: Uint8Array
  readonly kind: ContractKind
  /** Undefined where it has none or says none. */
  readonly name: Uint8Array | undefined
  readonly symbol: Uint8Array | undefined
  /** From 0 to 255. */
  readonly decimals: number | undefined
}
