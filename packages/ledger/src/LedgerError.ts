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
 * - `LEDGER_CHAIN`: an import from or export to what is no other chain of the Primary Network.
 * - `LEDGER_SHARED_MEMORY`: an import spends what its source has not exported yet, or what was imported before; `details.source`
 *   is the alias of the chain that has to be ahead first.
 * - `LEDGER_ASSET`: an asset is unknown, or doesn't use the feature extension that is used.
 * - `LEDGER_OPERATION`: an operation of the X-chain spends outputs of another kind, group, payload or owner.
 * - `LEDGER_EXT_DATA`: the atomic transactions of a C-chain block are not those that its header names.
 * - `LEDGER_STAKER`: a staker is not there, is there already, or isn't the next to be rewarded.
 * - `LEDGER_SUBNET`: a subnet is unknown, or of a kind that can't be changed this way.
 * - `LEDGER_SUPPLY`: a subnet that has no supply, and so no rewards.
 * - `LEDGER_L1_VALIDATOR`: an L1 validator is unknown, a duplicate, the last one, or one too many.
 * - `LEDGER_MESSAGE`: a message of an L1 is of the wrong type or source, expired, too early, repeated or stale.
 * - `LEDGER_GENESIS`: the genesis is of another network, or its validators or chains are of the wrong type; or a state has none.
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
  | 'LEDGER_CHAIN'
  | 'LEDGER_SHARED_MEMORY'
  | 'LEDGER_ASSET'
  | 'LEDGER_OPERATION'
  | 'LEDGER_EXT_DATA'
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
