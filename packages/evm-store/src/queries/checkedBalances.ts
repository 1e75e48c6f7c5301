import type { BalanceBasis, TokenClass } from '../EvmSchema.ts'

/** A balance that an address has in a contract. */
export interface Holding {
  readonly contract: Uint8Array
  /** Token standard: 20, 721 or 1155. For 721, the balance is the number of the contract's tokens. */
  readonly standard: number
  /** Id of the token; 0 unless the standard is 1155. */
  readonly tokenId: bigint
  readonly address: Uint8Array
}

/** The sums of the logs of a balance. */
export interface Summed extends Holding {
  /** Sum of the transfers. */
  readonly balance: bigint
  /** Sum of the deposits and withdrawals, see `Wrappings` in `@firn/evm`. */
  readonly wrapped: bigint
  /** Height of the last change; null if there is none. */
  readonly since: bigint | null
}

/** The result of the checks of a contract's balances, from a height on. */
export interface ContractCheck {
  readonly contract: Uint8Array
  readonly since: bigint
  readonly basis: BalanceBasis
  readonly class: TokenClass
  /** Number of blocks at which all balances that were asked for agreed and at least one was not 0. */
  readonly agreements: number
  /** Time of the first of these blocks, in Unix seconds. */
  readonly agreedFrom: bigint | null
  /** Height of the last check that agreed. */
  readonly checkedTo: bigint
  /** Block time from which holders are checked again; null for never. */
  readonly due: bigint | null
}

/** The stored checks of a contract's balances. */
export interface KnownContract extends ContractCheck {
  /** Whether the contract returned a balance that is stored. Always false if the balances rest on logs. */
  readonly hasReadings: boolean
}

/** A contract that was called in a range of blocks. */
export interface Touched {
  readonly contract: Uint8Array
  /** Whether a transaction called the contract without a transfer by the contract. */
  readonly isQuiet: boolean
}

/** A token contract that was created in a range of blocks. */
export interface CreatedToken {
  readonly contract: Uint8Array
  readonly standard: number
  readonly deployer: Uint8Array
  readonly creator: Uint8Array
  readonly height: bigint
  /**
   * End of the transaction's input, at most 512 bytes: the arguments of the constructor if the transaction itself
   * creates the contract.
   */
  readonly input: Uint8Array
  /** Whether another contract existed at the same address before. */
  readonly isAgain: boolean
}

/** An account that created a contract. */
export interface Creator {
  readonly contract: Uint8Array
  readonly address: Uint8Array
}

/** A successful call to a token contract by a transaction without transfers. */
export interface QuietCall {
  readonly contract: Uint8Array
  readonly standard: number
  readonly sender: Uint8Array
  /** The first bytes of the input, at most 516. */
  readonly input: Uint8Array
}

/** A range of heights, inclusive. */
export interface Heights {
  readonly first: bigint
  readonly last: bigint
}

/** What changed in a range of blocks and has to be checked. */
export interface ChangedBalances {
  readonly changed: readonly Summed[]
  readonly touched: readonly Touched[]
  readonly created: readonly CreatedToken[]
  readonly calls: readonly QuietCall[]
}
