import { Bytes, Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import type { PlatformMethods } from '@firn/rpc'
import { Blocks, L1Validators, type Snapshot, Stakers, Subnets } from '@firn/store'
import type { AddressContext } from '../Addresses.ts'
import type { NodeContext } from '../Context.ts'
import type { Handlers } from '../Service.ts'
import * as Rendering from './Rendering.ts'

/** An entry of the result of `platform.getCurrentValidators`, which has one of three shapes. */
export type Entry = Awaited<
  ReturnType<Handlers<typeof PlatformMethods>['platform.getCurrentValidators']>
>['validators'][number]

/** Parameters of {@link list}. */
export interface Query {
  readonly subnetId: Uint8Array
  /** The NodeIDs to return, without duplicates; empty for all. */
  readonly nodeIds: readonly Uint8Array[]
}

type L1Entry = Extract<Entry, { readonly minNonce: bigint }>
type StakingEntry = Extract<Entry, { readonly potentialReward: bigint }>
type SubnetEntry = Omit<Exclude<Entry, L1Entry>, 'potentialReward'>

const MILLION = 1_000_000

/**
 * Returns the current validators of a subnet as entries of the response, without uptimes and connection
 * states.
 */
export async function list(context: NodeContext, at: Snapshot, query: Query): Promise<readonly Entry[]> {
  const { store } = context
  const subnet = Bytes.isZero(query.subnetId) ? undefined : await Subnets.byId(store, at, query.subnetId)
  return subnet?.conversion === undefined ? stakers(context, at, query) : l1(context, at, query)
}

/**
 * Returns an L1 validator as an entry of the response. `accruedFees` is the sum of all fees that an active L1
 * validator would have paid since Etna; it is the same for all of them.
 */
export function l1Entry(
  context: AddressContext,
  validator: Records.L1Validator,
  accruedFees: bigint,
): L1Entry {
  const { endAccumulatedFee: end, nodeId, weight, startTime, validationId, publicKey, minNonce } = validator
  return {
    nodeID: nodeId,
    weight,
    startTime,
    validationID: validationId,
    publicKey,
    remainingBalanceOwner: Rendering.owner(context, validator.remainingBalanceOwner),
    deactivationOwner: Rendering.owner(context, validator.deactivationOwner),
    minNonce,
    balance: end === 0n ? 0n : end - accruedFees,
  }
}

/**
 * Lists the validators of an L1. Stakers from before the conversion whose period has not ended come first.
 */
async function l1(context: NodeContext, at: Snapshot, { subnetId, nodeIds }: Query): Promise<Entry[]> {
  const { store } = context
  const only = nodeIds.length === 0 ? undefined : nodeIds
  const [legacy, validators, { accruedFees }] = await Promise.all([
    Stakers.validators(store, at, subnetId, only),
    L1Validators.bySubnet(store, at, subnetId, only),
    Blocks.platformState(store, at),
  ])
  return [
    ...legacy.map(subnetEntry),
    ...validators.map((validator) => l1Entry(context, validator, accruedFees)),
  ]
}

/**
 * Lists the stakers of a subnet. Delegators are listed individually if exactly one validator is requested;
 * otherwise only their total is returned.
 */
async function stakers(context: NodeContext, at: Snapshot, { subnetId, nodeIds }: Query): Promise<Entry[]> {
  const { store } = context
  const [single, ...others] = nodeIds
  if (single !== undefined && others.length === 0) {
    const [validators, delegators] = await Promise.all([
      Stakers.validators(store, at, subnetId, [single]),
      Stakers.delegators(store, at, subnetId, single),
    ])
    const count = BigInt(delegators.length)
    const weight = delegators.reduce((sum, delegator) => sum + delegator.weight, 0n)
    const entries = delegators.map((delegator) => delegatorEntry(context, delegator))
    return validators.map((validator) => entry(context, validator, { count, weight, delegators: entries }))
  }
  const only = single === undefined ? undefined : nodeIds
  const [validators, delegations] = await Promise.all([
    Stakers.validators(store, at, subnetId, only),
    Stakers.delegations(store, at, subnetId, only),
  ])
  const byNode = new Map(delegations.map((delegation) => [Hex.encode(delegation.nodeId), delegation]))
  return validators.map((validator) =>
    entry(context, validator, byNode.get(Hex.encode(validator.nodeId)) ?? NONE),
  )
}

interface Delegated {
  readonly count: bigint
  readonly weight: bigint
  readonly delegators?: NonNullable<StakingEntry['delegators']>
}

const NONE: Delegated = { count: 0n, weight: 0n }

function entry(context: AddressContext, validator: Records.Staker, delegated: Delegated): Entry {
  return validator.kind === 'permissioned'
    ? subnetEntry(validator)
    : stakingEntry(context, validator, delegated)
}

function subnetEntry({ txId, startTime, endTime, weight, nodeId }: Records.Staker): SubnetEntry {
  return { txID: txId, startTime, endTime, weight, nodeID: nodeId }
}

function stakingEntry(
  context: AddressContext,
  validator: Records.Staker,
  delegated: Delegated,
): StakingEntry {
  const { rewardsOwner, delegationRewardsOwner, signer, autoRenewal } = validator
  return {
    ...subnetEntry(validator),
    validationRewardOwner: rewardsOwner && Rendering.owner(context, rewardsOwner),
    delegationRewardOwner: delegationRewardsOwner && Rendering.owner(context, delegationRewardsOwner),
    potentialReward: validator.potentialReward,
    accruedDelegateeReward: validator.delegateeReward,
    delegationFee: percent(validator.shares),
    signer,
    ...(autoRenewal === undefined
      ? {}
      : {
          validatorAuthority: Rendering.owner(context, autoRenewal.authority),
          nextPeriod: autoRenewal.nextPeriod,
          autoCompoundRewardShares: autoRenewal.autoCompoundRewardShares,
        }),
    delegatorCount: delegated.count,
    delegatorWeight: delegated.weight,
    ...(delegated.delegators === undefined ? {} : { delegators: delegated.delegators }),
  }
}

function delegatorEntry(
  context: AddressContext,
  delegator: Records.Staker,
): NonNullable<StakingEntry['delegators']>[number] {
  const { rewardsOwner, potentialReward } = delegator
  if (rewardsOwner === undefined) return { ...subnetEntry(delegator), potentialReward, rewardOwner: NOBODY }
  return { ...subnetEntry(delegator), rewardOwner: Rendering.owner(context, rewardsOwner), potentialReward }
}

const NOBODY = { locktime: 0n, threshold: 0, addresses: [] }

/** Converts shares to a percentage with 32-bit floats, as the node does. */
function percent(shares: number): number {
  return Math.fround(Math.fround(100 * Math.fround(shares)) / MILLION)
}
