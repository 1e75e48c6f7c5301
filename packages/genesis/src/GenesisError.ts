import { FirnError } from '@firn/codec'

/**
 * Codes of {@link GenesisError}. `details` hold the numbers.
 * - `GENESIS_JSON`: the text is not the JSON of a genesis, or a member has another type; `details.path` names
 * it.
 * - `GENESIS_ENCODING`: the text is not base64.
 * - `GENESIS_ADDRESS`: an Ethereum, Avalanche or node address is malformed.
 * - `GENESIS_OVERRIDE`: another genesis was given for a standard network, whose genesis is fixed.
 * - `GENESIS_NETWORK_ID`: the genesis is for another network.
 * - `GENESIS_SUPPLY`: the allocations add up to zero, or to more than 2^64 − 1.
 * - `GENESIS_START_TIME`: the genesis starts in the future.
 * - `GENESIS_STAKE_DURATION`: stakes would last for no time, too long, or end before the offset of others.
 * - `GENESIS_STAKERS`, `GENESIS_STAKED_FUNDS`: the list is empty, or names an address twice or without an
 * allocation.
 * - `GENESIS_LOCKED_AMOUNT`: less than one nAVAX is locked per staker.
 * - `GENESIS_C_CHAIN`: the genesis of the C-chain is missing.
 * - `GENESIS_SIGNER`: the proof of possession of a staker's BLS key is wrong.
 * - `GENESIS_VALIDATOR`: a validator would have no weight, too much weight, or would have ended already.
 * - `GENESIS_UTXO`: an allocation is zero.
 * - `GENESIS_CHAIN`: no chain of the VM exists, or it has no asset.
 * - `GENESIS_HASH`: the genesis is not the network's.
 * - `GENESIS_EVM_FIELD`: a required field of an EVM genesis is missing; `details.field`.
 * - `GENESIS_EVM_CONFIG`, `GENESIS_EVM_FEES`, `GENESIS_EVM_UPGRADES`, `GENESIS_EVM_PRECOMPILE`,
 * `GENESIS_EVM_AIRDROP`: an EVM chain's configuration, fee parameters, upgrade times, precompiles or airdrop
 * are invalid.
 * - `GENESIS_UPGRADES`: upgrade times are malformed or out of order.
 * - `GENESIS_REWARD`: a reward of shares over 1,000,000 millionths, or of an empty supply.
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

/** Thrown by everything in this package, besides the CodecError of decoding. */
export class GenesisError extends FirnError<GenesisErrorCode> {
  override readonly name = 'GenesisError'
}
