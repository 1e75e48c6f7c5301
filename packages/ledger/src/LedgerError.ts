import { FirnError } from '@firn/codec'

/**
 * Which rule a block broke.
 * - `LEDGER_PARENT`, `LEDGER_HEIGHT`: the block doesn't follow the last one.
 * - `LEDGER_OPTION`: a proposal must be followed by the block that commits or aborts it, and only a proposal.
 * - `LEDGER_TIME`: the time goes back, passes a change of the stakers, or isn't the proposal's.
 * - `LEDGER_BLOCK_TYPE`: the kind of block is not allowed at this time.
 * - `LEDGER_EMPTY_BLOCK`: a standard block changes nothing.
 * - `LEDGER_TX_TYPE`: the type of transaction is not allowed in this kind of block, or at this time.
 * - `LEDGER_UTXO`: an input spends what isn't there, or another asset or amount; `details.utxo`.
 * - `LEDGER_STAKER`: a staker is not there, is there already, or isn't the next to be rewarded.
 * - `LEDGER_SUBNET`: a subnet is unknown, or of a kind that can't be changed this way.
 * - `LEDGER_SUPPLY`: a subnet that has no supply, and so no rewards.
 * - `LEDGER_L1_VALIDATOR`: an L1 validator is unknown, a duplicate, the last one, or one too many.
 * - `LEDGER_MESSAGE`: a message of an L1 is of the wrong type or source, expired, too early, repeated or stale.
 * - `LEDGER_GENESIS`: the genesis is of another network, or its validators or chains are of the wrong type.
 */
export type LedgerErrorCode =
  | 'LEDGER_PARENT'
  | 'LEDGER_HEIGHT'
  | 'LEDGER_OPTION'
  | 'LEDGER_TIME'
  | 'LEDGER_BLOCK_TYPE'
  | 'LEDGER_EMPTY_BLOCK'
  | 'LEDGER_TX_TYPE'
  | 'LEDGER_UTXO'
  | 'LEDGER_STAKER'
  | 'LEDGER_SUBNET'
  | 'LEDGER_SUPPLY'
  | 'LEDGER_L1_VALIDATOR'
  | 'LEDGER_MESSAGE'
  | 'LEDGER_GENESIS'

/** Thrown by everything in this package, beside the CodecError of decoding and the TxsError of amounts and gas. */
export class LedgerError extends FirnError<LedgerErrorCode> {
  override readonly name = 'LedgerError'
}
