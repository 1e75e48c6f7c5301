import { Address, Bytes, Hex, Id, NodeId } from '@firn/codec'
import { Gas, type Secp256k1, Stakeable } from '@firn/txs'
import * as LedgerState from '../LedgerState.ts'
import type * as Records from '../Records.ts'

/**
 * A ledger state. The functions of this file return the API responses of a node with this state, without members that
 * do not follow from the state. For tests only.
 */
export type State = LedgerState.LedgerState

const all = <Name extends Records.TableName>(state: State, name: Name) =>
  [...state.tables[name].ordered()] as unknown as Records.Records[Name][]

const address = ({ rules }: State, payload: Uint8Array) =>
  Address.format({ chain: 'P', hrp: rules.constants.hrp, payload })

type Owner = Pick<Secp256k1.OutputOwners, 'threshold' | 'addresses'> & { readonly locktime?: bigint }

function owner(state: State, { locktime = 0n, threshold, addresses }: Owner) {
  return {
    locktime: `${locktime}`,
    threshold: `${threshold}`,
    addresses: addresses.map((item) => address(state, item)),
  }
}

const timestamp = (time: bigint) => new Date(Number(time) * 1000).toISOString().replace('.000', '')

/** Returns the responses of methods without parameters. */
export function singles(state: State): Record<string, unknown> {
  const tip = LedgerState.tip(state, 'P')
  const { gas, validatorExcess } = tip.platform as Records.PlatformTip
  const { dynamicFee, validatorFee } = state.rules.constants
  return {
    'platform.getHeight': { height: `${tip.height}` },
    'platform.getTimestamp': { timestamp: timestamp(tip.time) },
    'platform.getFeeState': {
      capacity: Number(gas.capacity),
      excess: Number(gas.excess),
      price: Number(Gas.price({ ...dynamicFee, excess: gas.excess })),
      timestamp: timestamp(tip.time),
    },
    'platform.getValidatorFeeState': {
      excess: Number(validatorExcess),
      price: Number(Gas.price({ ...validatorFee, excess: validatorExcess })),
      timestamp: timestamp(tip.time),
    },
  }
}

function stakerEntry({ txId, startTime, endTime, weight, nodeId }: Records.Staker) {
  return {
    txID: Id.format(txId),
    startTime: `${startTime}`,
    endTime: `${endTime}`,
    weight: `${weight}`,
    nodeID: NodeId.format(nodeId),
  }
}

function delegatorEntry(state: State, staker: Records.Staker) {
  return {
    ...stakerEntry(staker),
    rewardOwner: owner(state, staker.rewardsOwner as Owner),
    potentialReward: `${staker.potentialReward}`,
  }
}

function validatorEntry(state: State, staker: Records.Staker, listDelegators: boolean) {
  if (staker.kind === 'permissioned') return stakerEntry(staker)
  const delegators = current(state, staker.subnetId).filter(
    ({ role, nodeId }) => role === 'delegator' && Bytes.equals(nodeId, staker.nodeId),
  )
  const renewal = staker.autoRenewal
  return {
    ...stakerEntry(staker),
    validationRewardOwner: owner(state, staker.rewardsOwner as Owner),
    delegationRewardOwner: owner(state, staker.delegationRewardsOwner as Owner),
    potentialReward: `${staker.potentialReward}`,
    accruedDelegateeReward: `${staker.delegateeReward}`,
    delegationFee: (staker.shares / 10_000).toFixed(4),
    ...(staker.signer && {
      signer: {
        publicKey: Hex.encode(staker.signer.publicKey),
        proofOfPossession: Hex.encode(staker.signer.proofOfPossession),
      },
    }),
    ...(renewal && {
      validatorAuthority: owner(state, renewal.authority),
      nextPeriod: `${renewal.nextPeriod}`,
      autoCompoundRewardShares: `${renewal.autoCompoundRewardShares}`,
    }),
    delegatorCount: `${delegators.length}`,
    delegatorWeight: `${delegators.reduce((sum, { weight }) => sum + weight, 0n)}`,
    ...(listDelegators && { delegators: delegators.map((item) => delegatorEntry(state, item)) }),
  }
}

function current(state: State, subnetId: Uint8Array): Records.Staker[] {
  return all(state, 'staker').filter(
    (item) => item.status === 'current' && Bytes.equals(item.subnetId, subnetId),
  )
}

/** Returns the response of `platform.getCurrentValidators`, without `uptime` and `connected`. */
export function validators(state: State, subnetId: Uint8Array, nodeIds: readonly string[] | undefined) {
  const isRequested = (nodeId: Uint8Array) =>
    nodeIds === undefined || nodeIds.length === 0 || nodeIds.includes(NodeId.format(nodeId))
  const legacy = current(state, subnetId).filter(
    ({ role, nodeId }) => role === 'validator' && isRequested(nodeId),
  )
  const l1 = all(state, 'l1Validator').filter(
    (item) => Bytes.equals(item.subnetId, subnetId) && isRequested(item.nodeId),
  )
  l1.sort((a, b) => Bytes.compare(a.nodeId, b.nodeId))
  return [
    ...legacy.map((item) => validatorEntry(state, item, nodeIds?.length === 1)),
    ...l1.map((item) => l1Validator(state, item)),
  ]
}

/** Returns an L1 validator in the node's JSON. */
export function l1Validator(state: State, validator: Records.L1Validator) {
  const { accruedFees } = LedgerState.tip(state, 'P').platform as Records.PlatformTip
  const { endAccumulatedFee: end } = validator
  return {
    nodeID: NodeId.format(validator.nodeId),
    weight: `${validator.weight}`,
    startTime: `${validator.startTime}`,
    validationID: Id.format(validator.validationId),
    publicKey: Hex.encode(validator.publicKey),
    remainingBalanceOwner: owner(state, validator.remainingBalanceOwner),
    deactivationOwner: owner(state, validator.deactivationOwner),
    minNonce: `${validator.minNonce}`,
    balance: `${end === 0n ? 0n : end - accruedFees}`,
  }
}

/** Returns the response of `platform.getL1Validator`. */
export function l1ValidatorOf(state: State, validationId: string) {
  const found = state.tables.l1Validator.get(Hex.encodeBare(Id.parse(validationId)))
  if (found === undefined) return undefined
  const subnetId = Id.format(found.subnetId)
  return { ...l1Validator(state, found), subnetID: subnetId, height: `${LedgerState.tip(state, 'P').height}` }
}

/** Returns the response of `platform.getSubnet`. */
export function subnet(state: State, subnetId: string) {
  const found = state.tables.subnet.get(Hex.encodeBare(Id.parse(subnetId)))
  if (found === undefined) return undefined
  const { addresses, threshold, locktime } = owner(state, found.owner)
  const { conversion, transformation } = found
  return {
    isPermissioned: conversion === undefined && transformation === undefined,
    controlKeys: addresses,
    threshold,
    locktime,
    subnetTransformationTxID: Id.format(transformation?.txId ?? Id.EMPTY),
    conversionID: Id.format(conversion?.conversionId ?? Id.EMPTY),
    managerChainID: Id.format(conversion?.managerChainId ?? Id.EMPTY),
    managerAddress: conversion === undefined ? null : Hex.encode(conversion.managerAddress),
  }
}

/**
 * Returns the response of `platform.getSubnets` to a request without ids, sorted by id and without the Primary
 * Network.
 */
export function subnets(state: State) {
  const entries = all(state, 'subnet').map((item) => {
    const { addresses: controlKeys, threshold } = owner(state, item.owner)
    return { id: Id.format(item.subnetId), controlKeys, threshold }
  })
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the response of `platform.getBlockchains`, sorted by id. */
export function blockchains(state: State) {
  const entries = all(state, 'chain').map(({ blockchainId, name, subnetId, vmId }) => ({
    id: Id.format(blockchainId),
    name,
    subnetID: Id.format(subnetId),
    vmID: Id.format(vmId),
  }))
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the staked outputs in the response of `platform.getStake`, in the order of the stakers. */
export function stake(state: State, addresses: readonly string[], validatorsOnly: boolean): Stakeable.Out[] {
  const requested = new Set(addresses)
  return all(state, 'staker')
    .filter(({ role }) => !validatorsOnly || role === 'validator')
    .flatMap(({ stake }) => stake)
    .filter(({ output }) =>
      Stakeable.unlocked(output).addresses.some((item) => requested.has(address(state, item))),
    )
}

/** Returns a validator set in the form of `platform.getValidatorsAt`. */
export function setOf(members: Iterable<Records.Member>, subnetId: string) {
  const id = Id.parse(subnetId)
  const entries = [...members].filter((item) => Bytes.equals(item.subnetId, id))
  return Object.fromEntries(
    entries.map(({ nodeId, weight, publicKey }) => [
      NodeId.format(nodeId),
      { publicKey: publicKey === undefined ? null : Hex.encode(publicKey), weight: `${weight}` },
    ]),
  )
}

/**
 * Returns all validator sets in the form of `platform.getAllValidatorsAt`, with the validators grouped and sorted by
 * BLS key.
 */
export function setsOf(members: Iterable<Records.Member>) {
  const sets = new Map<string, { byKey: Map<string, Records.Member[]>; total: bigint }>()
  for (const member of members) {
    const id = Id.format(member.subnetId)
    const set = sets.get(id) ?? { byKey: new Map(), total: 0n }
    sets.set(id, { ...set, total: set.total + member.weight })
    if (member.publicKey === undefined) continue
    const key = Hex.encode(member.publicKey)
    set.byKey.set(key, [...(set.byKey.get(key) ?? []), member])
  }
  return Object.fromEntries(
    [...sets].map(([id, { byKey, total }]) => [
      id,
      { validators: entriesOf(byKey), totalWeight: `${total}` },
    ]),
  )
}

function entriesOf(byKey: ReadonlyMap<string, readonly Records.Member[]>) {
  const entries = [...byKey].map(([publicKey, members]) => ({
    publicKey,
    weight: `${members.reduce((sum, { weight }) => sum + weight, 0n)}`,
    nodeIDs: members
      .toSorted((a, b) => Bytes.compare(a.nodeId, b.nodeId))
      .map(({ nodeId }) => NodeId.format(nodeId)),
  }))
  return entries.sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
}
