import { Bytes, CheckedHex, Hex, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { type Handlers, methodError, ValidatorSets } from '@firn/node-api'
import type { PlatformMethods, ProposerVmMethods, Schema } from '@firn/rpc'
import {
  isPrimary,
  key,
  type L1Validator,
  l1ValidatorsOf,
  PRIMARY,
  type PrimaryValidator,
  type State,
} from '../State.ts'
import type { Network } from './network.ts'
import { getWarpSets, membersOf } from './warpSets.ts'

const NO_OWNER = { locktime: 0n, threshold: 0, addresses: [] }
const YEAR = 365n * 24n * 3600n

/** Returns the P-chain API. */
export function platformHandlers(network: Network): Partial<Handlers<typeof PlatformMethods>> {
  const { timeline } = network
  return {
    'platform.getHeight': () => ({ height: timeline.tip.height }),
    'platform.getProposedHeight': () => ({ height: timeline.proposedHeight(network.nowMs()) }),
    'platform.getTimestamp': () => ({ timestamp: timestamp(timeline.tip) }),
    // Balances of L1 validators do not decrease here, so the fee is always the lowest one.
    'platform.getValidatorFeeState': () => ({
      excess: 0n,
      price: Networks.of(network.networkId).validatorFee.minPrice,
      timestamp: timestamp(timeline.tip),
    }),
    'platform.getAllValidatorsAt': ({ height }) => ({ validatorSets: allValidatorsAt(network, height) }),
    'platform.getValidatorsAt': ({ height, subnetID: subnetId = PRIMARY }) =>
      validatorsAt(network, height, subnetId),
    'platform.getCurrentValidators': ({ subnetID: subnetId = PRIMARY, nodeIDs: nodeIds = [] }) => ({
      validators: currentValidators(network, subnetId, nodeIds),
    }),
    'platform.getL1Validator': ({ validationID: validationId }) => {
      const validator = timeline.tip.l1Validators.get(key(validationId))
      if (validator === undefined)
        throw methodError(`fetching L1 validator "${Id.format(validationId)}" failed: not found`)
      return { ...l1Entry(validator), subnetID: validator.subnetId, height: timeline.tip.height }
    },
    'platform.getSubnet': ({ subnetID: subnetId }) => subnetEntry(timeline.tip, subnetId),
    'platform.validatedBy': ({ blockchainID: blockchainId }) => {
      const chain = timeline.tip.chains.get(key(blockchainId))
      if (chain === undefined)
        throw methodError(`problem retrieving blockchain "${Id.format(blockchainId)}": not found`)
      return { subnetID: chain.subnetId }
    },
    'platform.validates': ({ subnetID: subnetId = PRIMARY }) => validates(timeline.tip, subnetId),
    'platform.getBlockchains': () => ({ blockchains: blockchains(timeline.tip) }),
    'platform.getTx': ({ txID: txId, encoding = 'hex' }) => transaction(network, txId, encoding),
    'platform.getTxStatus': ({ txID: txId }) => ({
      status: network.transaction(txId) === undefined ? 'Unknown' : 'Committed',
    }),
  }
}

/** Returns the API of the proposervm, which is the same for every chain. */
export function proposerVmHandlers({ timeline, nowMs }: Network): Handlers<typeof ProposerVmMethods> {
  return {
    'proposervm.getProposedHeight': () => ({ height: timeline.proposedHeight(nowMs()) }),
    'proposervm.getCurrentEpoch': () => timeline.epoch(),
  }
}

function timestamp({ time }: State): string {
  return `${new Date(Number(time) * 1000).toISOString().slice(0, 19)}Z`
}

function stateAt(
  { timeline, nowMs }: Network,
  height: Schema.Height,
  text: (height: bigint) => string,
): State {
  const requested = height === 'proposed' ? timeline.proposedHeight(nowMs()) : height
  const state = timeline.at(requested)
  if (state !== undefined) return state
  const tip = timeline.tip.height
  throw methodError(
    `${text(requested)}: current P-chain height (${tip}) < requested P-Chain height (${requested})`,
  )
}

function allValidatorsAt(network: Network, height: Schema.Height) {
  const state = stateAt(
    network,
    height,
    (at) => `failed to get validator sets at ${at}: failed to fetch validator set at unfinalized height`,
  )
  return getWarpSets(state)
}

function validatorsAt(network: Network, height: Schema.Height, subnetId: Uint8Array) {
  const subnet = Id.format(subnetId)
  const state = stateAt(
    network,
    height,
    (at) =>
      `failed to get validator set at ${at}: failed to fetch validator set at unfinalized height with SubnetID = ${subnet}`,
  )
  return ValidatorSets.byNode(membersOf(state, subnetId))
}

function currentValidators(network: Network, subnetId: Uint8Array, nodeIds: readonly Uint8Array[]) {
  const state = network.timeline.tip
  const requested = new Set(nodeIds.map(key))
  const isRequested = ({ nodeId }: { readonly nodeId: Uint8Array }) =>
    requested.size === 0 || requested.has(key(nodeId))
  if (!isPrimary(subnetId)) return l1ValidatorsOf(state, subnetId).filter(isRequested).map(l1Entry)
  const validators = [...state.primary.values()].filter(isRequested)
  return validators.map((validator) => primaryEntry(network, validator, requested.size === 1))
}

function l1Entry({ nodeId, weight, startTime, validationId, publicKey, minNonce, balance }: L1Validator) {
  return {
    nodeID: nodeId,
    weight,
    startTime,
    validationID: validationId,
    publicKey,
    remainingBalanceOwner: NO_OWNER,
    deactivationOwner: NO_OWNER,
    minNonce,
    balance,
  }
}

function primaryEntry(
  network: Network,
  { nodeId, publicKey, weight, startTime }: PrimaryValidator,
  withDelegators: boolean,
) {
  const proofOfPossession = publicKey === null ? undefined : network.proofOfPossession(nodeId)
  return {
    txID: Id.hash(nodeId),
    startTime,
    endTime: startTime + YEAR,
    weight,
    nodeID: nodeId,
    validationRewardOwner: NO_OWNER,
    delegationRewardOwner: NO_OWNER,
    potentialReward: 0n,
    accruedDelegateeReward: 0n,
    delegationFee: 2,
    uptime: 100,
    connected: true,
    ...(publicKey === null || proofOfPossession === undefined
      ? {}
      : { signer: { publicKey, proofOfPossession } }),
    delegatorCount: 0n,
    delegatorWeight: 0n,
    ...(withDelegators ? { delegators: [] } : {}),
  }
}

function subnetEntry(state: State, subnetId: Uint8Array) {
  if (isPrimary(subnetId)) throw methodError("the primary network isn't a subnet")
  const subnet = state.subnets.get(key(subnetId))
  if (subnet === undefined) throw methodError('not found')
  const { conversion } = subnet
  return {
    isPermissioned: conversion === null,
    controlKeys: [],
    threshold: 0,
    locktime: 0n,
    subnetTransformationTxID: new Uint8Array(32),
    conversionID: conversion?.id ?? new Uint8Array(32),
    managerChainID: conversion?.managerChainId ?? new Uint8Array(32),
    managerAddress: conversion?.managerAddress ?? null,
  }
}

function validates(state: State, subnetId: Uint8Array) {
  if (!isPrimary(subnetId) && !state.subnets.has(key(subnetId))) {
    throw methodError(`problem retrieving subnet "${Id.format(subnetId)}": not found`)
  }
  const chains = [...state.chains.values()].filter(
    ({ vm, subnetId: own }) => vm !== 'platformvm' && Bytes.equals(own, subnetId),
  )
  return { blockchainIDs: chains.reverse().map(({ id }) => id) }
}

function blockchains(state: State) {
  return [...state.chains.values()]
    .filter(({ vm }) => vm !== 'platformvm')
    .reverse()
    .map(({ id, name, subnetId, vm }) => ({ id, name, subnetID: subnetId, vmID: vmId(vm) }))
}

function transaction(network: Network, txId: Uint8Array, encoding: Schema.Encoding) {
  const bytes = network.transaction(txId)
  if (bytes === undefined) throw methodError("couldn't get tx: not found")
  if (encoding === 'json') throw methodError('unsupported encoding in method')
  return { tx: encoding === 'hexnc' ? Hex.encode(bytes) : CheckedHex.encode(bytes), encoding }
}

/** Returns the id of a VM: its name in ASCII, padded with zeros. */
function vmId(vm: string): Uint8Array {
  const name = { avm: 'avm', coreth: 'evm', 'subnet-evm': 'subnetevm' }[vm] ?? vm
  const bytes = new Uint8Array(32)
  bytes.set(new TextEncoder().encode(name))
  return bytes
}
