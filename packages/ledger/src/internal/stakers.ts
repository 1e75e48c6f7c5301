import { Bytes, Id, NodeId } from '@firn/codec'
import { Networks, Rewards, Upgrades } from '@firn/genesis'
import { type Secp256k1, type Signer, type Stakeable, UnsignedTx } from '@firn/txs'
import * as Records from '../Records.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'

/** The node's order of stakers that start or end at the same time: pending stakers come before current ones. */
const PRIORITIES = {
  pending: {
    validator: { primary: 2, permissionless: 4, permissioned: 6 },
    delegator: { primary: 3, permissionless: 5, permissioned: 0 },
  },
  current: {
    validator: { permissioned: 7, permissionless: 9, primary: 11 },
    delegator: { permissionless: 8, primary: 10, permissioned: 0 },
  },
} as const

/**
 * Priority of a pending delegator that an AddDelegatorTx added. Such a delegator starts before a validator with the
 * same start time.
 */
const APRICOT_DELEGATOR_PENDING = 1

const SECOND = 1_000_000_000n

/** Transaction types that add a staker for a fixed period. */
type BoundedType = Exclude<UnsignedTx.StakingType<'validator' | 'delegator'>, 'AddAutoRenewedValidatorTx'>
export type BoundedTx = UnsignedTx.Of<BoundedType>

interface Payment {
  readonly rewardsOwner: Secp256k1.OutputOwners | undefined
  readonly delegationRewardsOwner: Secp256k1.OutputOwners | undefined
  readonly shares: number
}

interface Terms extends Payment {
  readonly subnetId: Uint8Array
}

const NO_PAYMENT: Payment = {
  rewardsOwner: undefined,
  delegationRewardsOwner: undefined,
  shares: 0,
}

/** For each transaction type: a function that returns the staker's subnet, reward owners and shares. */
const TERMS: { readonly [T in BoundedType]: (tx: UnsignedTx.Of<T>) => Terms } = {
  AddValidatorTx: ({ rewardsOwner, shares }) => ({
    subnetId: Networks.PRIMARY_NETWORK_ID,
    rewardsOwner,
    delegationRewardsOwner: rewardsOwner,
    shares,
  }),
  AddSubnetValidatorTx: ({ validator }) => ({ ...NO_PAYMENT, subnetId: validator.subnetID }),
  AddDelegatorTx: ({ rewardsOwner }) => ({
    ...NO_PAYMENT,
    subnetId: Networks.PRIMARY_NETWORK_ID,
    rewardsOwner,
  }),
  AddPermissionlessValidatorTx: ({
    subnetID: subnetId,
    validationRewardsOwner,
    delegationRewardsOwner,
    shares,
  }) => ({
    subnetId,
    rewardsOwner: validationRewardsOwner,
    delegationRewardsOwner,
    shares,
  }),
  AddPermissionlessDelegatorTx: ({ subnetID: subnetId, rewardsOwner }) => ({
    ...NO_PAYMENT,
    subnetId,
    rewardsOwner,
  }),
}

/** Returns the pending staker that a transaction describes. */
export function describe(txId: Uint8Array, tx: BoundedTx): Records.Staker {
  const terms = TERMS[tx.type] as (tx: BoundedTx) => Terms
  const { subnetId, ...payment } = terms(tx)
  const { staking: role } = UnsignedTx.TYPES[tx.type][2]
  const kind =
    tx.type === 'AddSubnetValidatorTx'
      ? 'permissioned'
      : Bytes.isZero(subnetId)
        ? 'primary'
        : 'permissionless'
  const { nodeID: nodeId, start, end, weight } = tx.validator
  return {
    txId,
    subnetId,
    nodeId,
    role,
    kind,
    status: 'pending',
    priority: tx.type === 'AddDelegatorTx' ? APRICOT_DELEGATOR_PENDING : PRIORITIES.pending[role][kind],
    startTime: start,
    endTime: end,
    weight,
    signer: 'signer' in tx ? keyOf(tx.signer) : undefined,
    potentialReward: 0n,
    delegateeReward: 0n,
    ...payment,
    stake: UnsignedTx.stake(tx),
    stakeIndex: tx.outputs.length,
    autoRenewal: undefined,
  }
}

function keyOf(signer: Signer.Signer): Signer.ProofOfPossession | undefined {
  return signer.type === 'ProofOfPossession'
    ? { publicKey: signer.publicKey, proofOfPossession: signer.proofOfPossession }
    : undefined
}

/** Returns the current staker that an auto-renewed validator's transaction describes, without its reward. */
export function describeAutoRenewed(
  txId: Uint8Array,
  tx: UnsignedTx.Of<'AddAutoRenewedValidatorTx'>,
  startTime: bigint,
): Records.Staker {
  return {
    txId,
    subnetId: Networks.PRIMARY_NETWORK_ID,
    nodeId: tx.nodeID,
    role: 'validator',
    kind: 'primary',
    status: 'current',
    priority: PRIORITIES.current.validator.primary,
    startTime,
    endTime: startTime + tx.period,
    weight: tx.stake.reduce((sum, { output }) => sum + amountOf(output), 0n),
    signer: keyOf(tx.signer),
    potentialReward: 0n,
    delegateeReward: 0n,
    stake: tx.stake,
    stakeIndex: tx.outputs.length,
    rewardsOwner: tx.validationRewardsOwner,
    delegationRewardsOwner: tx.delegationRewardsOwner,
    shares: tx.delegationShares,
    autoRenewal: {
      authority: tx.validatorAuthority,
      autoCompoundRewardShares: tx.autoCompoundRewardShares,
      nextPeriod: tx.period,
      accruedValidationRewards: 0n,
      accruedDelegateeRewards: 0n,
    },
  }
}

function amountOf(output: Stakeable.Output): bigint {
  return output.type === 'LockOut' ? output.output.amount : output.amount
}

/** Returns a pending staker as a current staker, without its reward. */
export function current(pending: Records.Staker): Records.Staker {
  const { role, kind } = pending
  return { ...pending, status: 'current', priority: PRIORITIES.current[role][kind] }
}

/** Returns a pending staker as a current staker with its reward, and adds the reward to the supply. */
export function promote(draft: Draft, pending: Records.Staker, startTime: bigint): Records.Staker {
  const staker = { ...current(pending), startTime }
  return staker.kind === 'permissioned' ? staker : mint(draft, staker)
}

/** Returns the staker with the reward for its period, and adds the reward to the supply. */
export function mint(draft: Draft, staker: Records.Staker): Records.Staker {
  const { supply } = draft.supply(staker.subnetId)
  const stake = {
    duration: (staker.endTime - staker.startTime) * SECOND,
    amount: staker.weight,
    currentSupply: supply,
  }
  const potentialReward = Rewards.calculate(rewardsOf(draft, staker), stake)
  draft.addSupply(staker.subnetId, potentialReward)
  return { ...staker, potentialReward }
}

function rewardsOf(draft: Draft, { subnetId, startTime }: Records.Staker): Rewards.Config {
  const { reward, upgrades } = draft.rules.constants
  if (Bytes.isZero(subnetId)) return Rewards.configAt(reward, upgrades.helicon, startTime)
  const { transformation } = draft.subnet(subnetId)
  if (transformation === undefined) {
    return refuse('LEDGER_SUBNET', `subnet ${Id.format(subnetId)} is not elastic`)
  }
  const { minConsumptionRate, maxConsumptionRate, maximumSupply } = transformation.tx
  return { ...reward, minConsumptionRate, maxConsumptionRate, supplyCap: maximumSupply }
}

/**
 * Adds the staker that a transaction describes. Since Durango, the staker is current at once; before Durango,
 * it is pending first.
 */
export function add(draft: Draft, txId: Uint8Array, tx: BoundedTx): undefined {
  const { time } = draft.tip
  const pending = describe(txId, tx)
  assertNew(draft, pending)
  const isDurango = Upgrades.isActive(draft.rules.constants.upgrades, 'durango', time)
  put(draft, isDurango ? promote(draft, pending, time) : pending)
}

function assertNew(draft: Draft, { role, subnetId, nodeId, kind }: Records.Staker): void {
  const found = validator(draft, subnetId, nodeId)
  if (role === 'validator' && found !== undefined)
    refuseStaker('a node that is not a validator yet', subnetId, nodeId)
  if (role === 'delegator' && found === undefined) refuseStaker('a validator', subnetId, nodeId)
  if (kind === 'permissioned' && role === 'validator') {
    draft.permissionedSubnet(subnetId)
    if (validator(draft, Networks.PRIMARY_NETWORK_ID, nodeId) === undefined) {
      refuseStaker('a validator of the Primary Network', subnetId, nodeId)
    }
  }
}

function refuseStaker(expected: string, subnetId: Uint8Array, nodeId: Uint8Array): never {
  const details = { subnetId: Id.format(subnetId), nodeId: NodeId.format(nodeId) }
  return refuse(
    'LEDGER_STAKER',
    `expected ${expected}, got node ${details.nodeId} on subnet ${details.subnetId}`,
    details,
  )
}

/** Returns the pending or current validator of a subnet with a node id, or undefined. */
export function validator(
  draft: Draft,
  subnetId: Uint8Array,
  nodeId: Uint8Array,
): Records.Staker | undefined {
  return draft.find('staker', Records.memberKey(subnetId, nodeId))
}

/** Returns the current validator of a subnet with a node id. Rejects the block if there is none. */
export function currentValidator(draft: Draft, subnetId: Uint8Array, nodeId: Uint8Array): Records.Staker {
  const found = validator(draft, subnetId, nodeId)
  if (found?.status !== 'current') return refuseStaker('a current validator', subnetId, nodeId)
  return found
}

/** Adds a staker, and its weight to the validator set if it is current. */
export function put(draft: Draft, staker: Records.Staker): void {
  draft.write('staker', undefined, staker)
  if (staker.status !== 'current') return
  draft.addWeight(staker.subnetId, staker.nodeId, staker.weight, publicKeyOf(draft, staker))
}

/** Removes a staker, and its weight from the validator set if it was current. */
export function remove(draft: Draft, staker: Records.Staker): void {
  draft.write('staker', staker, undefined)
  if (staker.status === 'current') draft.addWeight(staker.subnetId, staker.nodeId, -staker.weight)
}

/** Returns the key with which a validator signs. Subnet validators use their key on the Primary Network. */
function publicKeyOf(
  draft: Draft,
  { role, subnetId, nodeId, signer }: Records.Staker,
): Uint8Array | undefined {
  if (role === 'delegator') return undefined
  if (Bytes.isZero(subnetId)) return signer?.publicKey
  return draft.member(Networks.PRIMARY_NETWORK_ID, nodeId)?.publicKey
}

/** Returns true for transactions that add a staker for a fixed period. */
export function isBounded(tx: UnsignedTx.UnsignedTx): tx is BoundedTx {
  return 'validator' in tx
}
