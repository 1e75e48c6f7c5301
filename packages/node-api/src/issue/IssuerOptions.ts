import type { ChainAlias } from '@firn/codec'
import type { Refusal } from '@firn/ledger/Verify'
import type { Clock, Logger } from '@firn/runtime'

/** Options of an issuer. */
export interface IssuerOptions {
  /**
   * Checks a transaction against the state after the last block. Returns undefined for a valid one.
   * @throws RpcError if it cannot be checked now
   */
  readonly verify: (chain: ChainAlias, bytes: Uint8Array) => Promise<Refusal | undefined>
  /** Pushes transactions to validators and returns the number of validators that they were sent to. */
  readonly push: (chain: ChainAlias, transactions: readonly Uint8Array[]) => number
  /** Returns whether a transaction has been accepted. */
  readonly isAccepted: (chain: ChainAlias, txId: Uint8Array) => Promise<boolean>
  /**
   * Calls the listener after blocks have been accepted, so that acceptance is not looked up in between. Returns a
   * function that removes the listener.
   */
  readonly onAdvance?: (listener: () => void) => () => void
  readonly clock?: Clock
  readonly log?: Logger
  readonly limits?: Partial<Limits>
}

/** Limits of an issuer. All times are in milliseconds. */
export interface Limits {
  /** Time between two looks at the pending transactions. */
  readonly roundMs: number
  /** Time after which a pending transaction is pushed again, to other validators. */
  readonly pushMs: number
  /** Time after which a transaction that no block contains is dropped. */
  readonly expiryMs: number
  /** Maximum number of pending transactions, and of their bytes. */
  readonly transactions: number
  readonly bytes: number
}

/** The limits by default. */
export const LIMITS: Limits = {
  roundMs: 1_000,
  pushMs: 4_000,
  expiryMs: 300_000,
  transactions: 4_096,
  bytes: 64 * 2 ** 20,
}
