import { FirnError } from '@firn/codec'

/**
 * Codes of {@link GenesisError}. `details` contains the values that the message names.
 * - `GENESIS_JSON`: the text is not the JSON of a genesis, or a member has another type; `details.path` names
 * the member.
 * - `GENESIS_ENCODING`: the text is not base64.
 * - `GENESIS_ADDRESS`: an Ethereum address, Avalanche address, NodeID or BLS key is malformed.
 * - `GENESIS_OVERRIDE`: a custom genesis was given for a standard network, whose genesis is fixed.
 * - `GENESIS_NETWORK_ID`: the genesis belongs to another network.
 * - `GENESIS_SUPPLY`: the allocations add up to zero, or to more than 2^64 − 1.
 * - `GENESIS_START_TIME`: the genesis starts in the future.
 * - `GENESIS_STAKE_DURATION`: the stake duration is zero, too long, or shorter than the sum of the offsets.
 * - `GENESIS_STAKERS`: there are no initial stakers.
 * - `GENESIS_STAKED_FUNDS`: the list of staked funds is empty, contains an address twice, or contains an address without
 * an allocation.
 * - `GENESIS_LOCKED_AMOUNT`: less than one nAVAX is locked per staker.
 * - `GENESIS_C_CHAIN`: the genesis of the C-chain is missing.
 * - `GENESIS_SIGNER`: the proof of possession of a staker's BLS key is invalid.
 * - `GENESIS_VALIDATOR`: a validator would have no weight or too much weight, or its stake would already have
 * ended.
 * - `GENESIS_UTXO`: an allocation is zero.
 * - `GENESIS_CHAIN`: no chain runs the VM, a transaction does not create a chain, or the X-chain has no asset.
 * - `GENESIS_HASH`: the genesis differs from the known genesis of its network.
 * - `GENESIS_EVM_FIELD`: a required field of an EVM genesis is missing; `details.field` names it.
 * - `GENESIS_EVM_CONFIG`, `GENESIS_EVM_FEES`, `GENESIS_EVM_UPGRADES`, `GENESIS_EVM_PRECOMPILE`,
 * `GENESIS_EVM_AIRDROP`: the configuration, fee parameters, upgrade times, precompiles or airdrop of an EVM
 * chain are invalid.
 * - `GENESIS_UPGRADES`: upgrade times are malformed or out of order.
 * - `GENESIS_REWARD`: a reward cannot be calculated because the shares exceed 1,000,000 millionths, or the supply or
 * the minting period is zero.
 */
export type GenesisErrorCode =
  | 'GENESIS_JSON'
  | 'GENESIS_ENCODING'
  | 'GENESIS_ADDRESS'
  | 'GENESIS_OVERRIDE'
  | 'GENESIS_NETWORK_ID'
  | 'GENESIS_SUPPLY'
  | 'GENESIS_START_TIME'
  | 'GENESIS_STAKE_DURATION'
  | 'GENESIS_STAKERS'
  | 'GENESIS_STAKED_FUNDS'
  | 'GENESIS_LOCKED_AMOUNT'
  | 'GENESIS_C_CHAIN'
  | 'GENESIS_SIGNER'
  | 'GENESIS_VALIDATOR'
  | 'GENESIS_UTXO'
  | 'GENESIS_CHAIN'
  | 'GENESIS_HASH'
  | 'GENESIS_EVM_FIELD'
  | 'GENESIS_EVM_CONFIG'
  | 'GENESIS_EVM_FEES'
  | 'GENESIS_EVM_UPGRADES'
  | 'GENESIS_EVM_PRECOMPILE'
  | 'GENESIS_EVM_AIRDROP'
  | 'GENESIS_UPGRADES'
  | 'GENESIS_REWARD'

/** The error class of this package. Decoding functions can also throw CodecError. */
export class GenesisError extends FirnError<GenesisErrorCode> {
  override readonly name = 'GenesisError'
}
