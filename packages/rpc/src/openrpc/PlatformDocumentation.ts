import type { PlatformMethods } from '../layouts.ts'
import { type Documentation, ENCODING, GET_UTXOS, ISSUE_TX } from './Documentation.ts'

const subnetId = 'Id of the subnet; the Primary Network by default.'
const txId = 'Id of the transaction.'

/** The documentation of the P-chain's methods. */
export const PLATFORM: Documentation<typeof PlatformMethods> = {
  'platform.getHeight': { summary: 'Returns the height of the last accepted block.' },
  'platform.getProposedHeight': { summary: 'Returns the P-chain height that block builders currently use.' },
  'platform.getTimestamp': { summary: 'Returns the time of the P-chain.' },
  'platform.getBlock': {
    summary: 'Returns a block by its id.',
    params: { blockID: 'Id of the block.', encoding: ENCODING },
  },
  'platform.getBlockByHeight': {
    summary: 'Returns the accepted block at a height.',
    params: { height: 'Height of the block.', encoding: ENCODING },
  },
  'platform.getTx': {
    summary: 'Returns a transaction by its id.',
    params: { txID: txId, encoding: ENCODING },
  },
  'platform.getTxStatus': {
    summary: 'Returns the status of a transaction, and the reason if it was dropped.',
    params: { txID: txId },
  },
  'platform.issueTx': ISSUE_TX,
  'platform.getSubnet': {
    summary: 'Returns the owners of a subnet, and its conversion into an L1.',
    params: { subnetID: 'Id of the subnet.' },
  },
  'platform.getSubnets': {
    summary: 'Returns all subnets, newest first and the Primary Network last, or those with the given ids.',
    params: { ids: 'Ids of the subnets to return; all by default.' },
  },
  'platform.getBlockchains': { summary: 'Returns all blockchains except the P-chain.' },
  'platform.getBlockchainStatus': {
    summary: 'Returns the status of a blockchain on this node.',
    params: { blockchainID: 'Id or alias of the blockchain.' },
  },
  'platform.validatedBy': {
    summary: 'Returns the subnet that validates a blockchain.',
    params: { blockchainID: 'Id of the blockchain.' },
  },
  'platform.validates': {
    summary: 'Returns the blockchains that a subnet validates.',
    params: { subnetID: subnetId },
  },
  'platform.getAllValidatorsAt': {
    summary:
      'Returns the validator sets of all subnets at a height, in the order in which Warp messages number them.',
    params: { height: 'P-chain height, or `proposed` for the one that block builders currently use.' },
  },
  'platform.getValidatorsAt': {
    summary: 'Returns the public key and weight of each validator of a subnet at a height, by NodeID.',
    params: {
      height: 'P-chain height, or `proposed` for the one that block builders currently use.',
      subnetID: subnetId,
    },
  },
  'platform.getCurrentValidators': {
    summary:
      'Returns the current validators of a subnet or L1. Delegators are listed only if one NodeID is given.',
    params: { subnetID: subnetId, nodeIDs: 'NodeIDs of the validators to return; all by default.' },
  },
  'platform.getL1Validator': {
    summary: 'Returns a validator of an L1 by its validation id.',
    params: { validationID: 'Validation id of the validator.' },
  },
  'platform.sampleValidators': {
    summary: 'Returns validators that are sampled by weight. A validator may occur several times.',
    params: { size: 'Number of validators to sample.', subnetID: subnetId },
  },
  'platform.getCurrentSupply': {
    summary: 'Returns an upper bound of the supply of the asset that is staked on a subnet.',
    params: { subnetID: subnetId },
  },
  'platform.getTotalStake': {
    summary:
      'Returns the total weight of the validators and delegators of a subnet, in nAVAX on the Primary Network.',
    params: { subnetID: subnetId },
  },
  'platform.getMinStake': {
    summary: 'Returns the minimum stakes of a validator and of a delegator, in nAVAX on the Primary Network.',
    params: { subnetID: subnetId },
  },
  'platform.getStakingAssetID': {
    summary: 'Returns the id of the asset that is staked on a subnet.',
    params: { subnetID: subnetId },
  },
  'platform.getStake': {
    summary:
      'Returns what addresses have staked: the amount in nAVAX, the amounts by asset, and the outputs.',
    params: {
      addresses: 'At most 256 addresses, such as `P-avax1…`.',
      validatorsOnly: 'Whether to leave out delegations; false by default.',
      encoding: ENCODING,
    },
  },
  'platform.getRewardUTXOs': {
    summary: 'Returns the UTXOs that the network created as the reward of a validator or delegator.',
    params: { txID: 'Id of the transaction that added the validator or delegator.', encoding: ENCODING },
  },
  'platform.getFeeConfig': {
    summary:
      'Returns the parameters of the dynamic fees. `weights` are the gas per byte, database read, database write and microsecond of computing.',
  },
  'platform.getFeeState': {
    summary: 'Returns the current state of the dynamic fees. `price` is in nAVAX per unit of gas.',
  },
  'platform.getValidatorFeeConfig': { summary: 'Returns the parameters of the fees of L1 validators.' },
  'platform.getValidatorFeeState': {
    summary:
      'Returns the current state of the fees of L1 validators. `price` is in nAVAX per second and validator.',
  },
  'platform.getUTXOs': GET_UTXOS,
  'platform.getBalance': {
    summary: 'Returns the balances of addresses by kind of lock: in nAVAX, and by asset.',
    params: { addresses: 'Addresses, such as `P-avax1…`.' },
  },
}
