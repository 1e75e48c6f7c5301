import { FirnError } from '@firn/codec'

/**
 * The rule that a block violates.
 * - `LEDGER_PARENT`, `LEDGER_HEIGHT`: the block does not follow the last one.
 * - `LEDGER_OPTION`: a proposal is not followed by a commit or abort block, or such a block does not follow a
 * proposal.
 * - `LEDGER_TIME`: the block's time is before the chain's time, skips the time at which a staker starts or ends, or
 * differs from the proposal's time.
 * - `LEDGER_BLOCK_TYPE`: the block type is not allowed at this time.
 * - `LEDGER_EMPTY_BLOCK`: a standard block changes nothing.
 * - `LEDGER_TX_TYPE`: the transaction type is not allowed in this block type, or at this time.
 * - `LEDGER_UTXO`: an input spends a missing output, or differs from it in asset or amount. `details.utxo`
 * names the output.
 * - `LEDGER_CHAIN`: the other chain of an import or export is not another chain of the Primary Network, or the block is
 * of the C-chain, which the ledger does not follow.
 * - `LEDGER_SHARED_MEMORY`: the output that an import spends was not exported yet (apply more blocks of the chain
 * `details.source` first), or an earlier block already imported it (the block is invalid). The state cannot tell
 * these cases apart.
 * - `LEDGER_ASSET`: an asset is unknown, or does not use the feature extension.
 * - `LEDGER_OPERATION`: an X-chain operation spends an output of another kind, group, payload or owner, or not
 * exactly one output.
 * - `LEDGER_EXT_DATA`: the atomic transactions of a C-chain block do not match its header.
 * - `LEDGER_STAKER`: a staker is missing, exists already, or is not the next one to be rewarded.
 * - `LEDGER_STAKING_RULE`: a transaction that is not accepted yet breaks the rule for stakers that `details.reason`
 * names.
 * - `LEDGER_SUBNET`: a subnet is unknown, or of a kind that cannot be changed this way.
 * - `LEDGER_SUPPLY`: a subnet has no supply, and so no rewards.
 * - `LEDGER_L1_VALIDATOR`: an L1 validator is unknown, a duplicate, the last one of its L1, or above the
 * network's capacity.
 * - `LEDGER_MESSAGE`: a message of an L1 has the wrong type or source, or its expiry or nonce is invalid.
 * - `LEDGER_VERTEX`: a vertex of the X-chain belongs to another chain, comes before its parents, was already
 * applied, or comes after the stop vertex.
 * - `LEDGER_WAITING`: all vertices of the X-chain are applied, but a transaction in them (`details.txId`) spends an
 * output that none of them created.
 * - `LEDGER_GENESIS`: the genesis is for another network, has validators or chains of the wrong type, or is
 * missing from the state.
 * - `LEDGER_NOT_FETCHED`: the block reads a record that is not in the memory of a windowed state. The block may be
 * valid: read the record with `LedgerState.fetch` and apply the block again. `details.table` and `details.key` name the
 * record.
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
  | 'LEDGER_STAKING_RULE'
  | 'LEDGER_SUBNET'
  | 'LEDGER_SUPPLY'
  | 'LEDGER_L1_VALIDATOR'
  | 'LEDGER_MESSAGE'
  | 'LEDGER_VERTEX'
  | 'LEDGER_WAITING'
  | 'LEDGER_GENESIS'
  | 'LEDGER_NOT_FETCHED'

/**
 * The error that this package throws. Decoding also throws CodecError, and checks of amounts and gas also
 * throw TxsError.
 */
export class LedgerError extends FirnError<LedgerErrorCode> {
  override readonly name = 'LedgerError'
}
