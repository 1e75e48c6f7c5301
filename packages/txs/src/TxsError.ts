import { FirnError } from '@firn/codec'

/**
 * Codes of {@link TxsError}, by subject. Most codes correspond to a check in avalanchego. `details`, if present,
 * holds the values that caused the error.
 * - `TXS_NETWORK_ID`, `TXS_BLOCKCHAIN_ID`, `TXS_MEMO`: the transaction names another network or chain, or its
 * memo is too long.
 * - `TXS_ASSET_ID`: an asset id is zero, or not the required one.
 * - `TXS_NO_VALUE`: an amount, weight or balance is zero but must not be.
 * - `TXS_OUTPUT_UNSPENDABLE`: a threshold is above the number of addresses.
 * - `TXS_OUTPUT_UNOPTIMIZED`: a threshold is 0 although there are addresses.
 * - `TXS_ADDRESSES_ORDER`, `TXS_INDICES_ORDER`, `TXS_OUTPUTS_ORDER`, `TXS_INPUTS_ORDER`, `TXS_ORDER`: a list
 * is unsorted or has duplicates.
 * - `TXS_LOCKTIME`: a stakeable lock has no lock time, or is not allowed.
 * - `TXS_NODE_ID`, `TXS_SUBNET_ID`, `TXS_TX_ID`, `TXS_VM_ID`: an id is zero, has a wrong length, or is the
 * Primary Network's.
 * - `TXS_NO_STAKE`, `TXS_STAKE_WEIGHT`: staked outputs are missing, or do not add up to the weight.
 * - `TXS_SHARES`: a share is above 1,000,000 millionths.
 * - `TXS_SIGNER`: a BLS key is missing or not allowed, or its proof of possession is invalid.
 * - `TXS_NAME`, `TXS_GENESIS`, `TXS_MANAGER_ADDRESS`: a chain's name, genesis or manager address is too long
 * or malformed.
 * - `TXS_EMPTY`: a list that requires an element is empty.
 * - `TXS_PARAMETERS`: a parameter of a transformed subnet is out of bounds.
 * - `TXS_OVERFLOW`: a sum or product does not fit into 64 bits.
 * - `TXS_FUNDS`: a transaction produces more than it consumes or burns less than its fee, or a wallet cannot pay.
 * - `TXS_INPUT`: an argument of a builder has the wrong type, such as a number instead of a bigint.
 * - `TXS_TIME`: a period or message that ends in the past, or a message that expires too late.
 * - `TXS_LIMIT`: a transaction uses more gas or bytes than nodes accept.
 * - `TXS_DUST`: UTXOs are worth less than the fee for spending them.
 * - `TXS_UNSUPPORTED`: the operation is not defined for this transaction type, or a block has fields of a later upgrade.
 * - `TXS_CAPACITY`: a block uses more gas than available.
 * - `TXS_ID`: the `id` in JSON does not match the content.
 * - `TXS_UTXO`: the UTXO of an input is unknown, or differs from the input.
 * - `TXS_UTXO_ID`: a string is not `txID:outputIndex`.
 * - `TXS_LOCKED`, `TXS_SIGNERS`, `TXS_SIGNATURE`, `TXS_CREDENTIAL`: an output is still locked, or the number
 * of signers, a signature or the credential's type is wrong.
 * - `TXS_EPOCH`: a container that must carry an epoch has an epoch of zeros.
 * - `TXS_FX`: an initial state names a feature extension that the chain does not have.
 * - `TXS_PAYLOAD`, `TXS_SYMBOL`, `TXS_DENOMINATION`: an NFT's payload, or an asset's symbol or denomination,
 * is out of bounds.
 * - `TXS_DOUBLE_SPEND`: a UTXO is spent twice in one transaction.
 * - `TXS_VERTEX`: a vertex has too many parents or transactions, or an epoch other than 0.
 * - `TXS_RLP`, `TXS_EVM_BLOCK`: bytes are not canonical RLP, or the RLP items are not a block.
 * - `TXS_BASE_FEE`: a base fee is not positive.
 * - `TXS_UNRECOGNIZED`: bytes are not a structure of this package.
 */
export type TxsErrorCode =
  | 'TXS_NETWORK_ID'
  | 'TXS_BLOCKCHAIN_ID'
  | 'TXS_MEMO'
  | 'TXS_ASSET_ID'
  | 'TXS_NO_VALUE'
  | 'TXS_OUTPUT_UNSPENDABLE'
  | 'TXS_OUTPUT_UNOPTIMIZED'
  | 'TXS_ADDRESSES_ORDER'
  | 'TXS_INDICES_ORDER'
  | 'TXS_OUTPUTS_ORDER'
  | 'TXS_INPUTS_ORDER'
  | 'TXS_ORDER'
  | 'TXS_LOCKTIME'
  | 'TXS_NODE_ID'
  | 'TXS_SUBNET_ID'
  | 'TXS_TX_ID'
  | 'TXS_VM_ID'
  | 'TXS_NO_STAKE'
  | 'TXS_STAKE_WEIGHT'
  | 'TXS_SHARES'
  | 'TXS_SIGNER'
  | 'TXS_NAME'
  | 'TXS_GENESIS'
  | 'TXS_MANAGER_ADDRESS'
  | 'TXS_EMPTY'
  | 'TXS_PARAMETERS'
  | 'TXS_OVERFLOW'
  | 'TXS_FUNDS'
  | 'TXS_INPUT'
  | 'TXS_TIME'
  | 'TXS_LIMIT'
  | 'TXS_DUST'
  | 'TXS_UNSUPPORTED'
  | 'TXS_CAPACITY'
  | 'TXS_ID'
  | 'TXS_UTXO_ID'
  | 'TXS_UTXO'
  | 'TXS_LOCKED'
  | 'TXS_SIGNERS'
  | 'TXS_SIGNATURE'
  | 'TXS_CREDENTIAL'
  | 'TXS_EPOCH'
  | 'TXS_FX'
  | 'TXS_PAYLOAD'
  | 'TXS_SYMBOL'
  | 'TXS_DENOMINATION'
  | 'TXS_DOUBLE_SPEND'
  | 'TXS_VERTEX'
  | 'TXS_RLP'
  | 'TXS_EVM_BLOCK'
  | 'TXS_BASE_FEE'
  | 'TXS_UNRECOGNIZED'

/** The error that this package throws. Decoding also throws CodecError. */
export class TxsError extends FirnError<TxsErrorCode> {
  override readonly name = 'TxsError'
}
