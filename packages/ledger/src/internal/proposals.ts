import { Bytes, Id } from '@firn/codec'
import { Rewards, Upgrades } from '@firn/genesis'
import type { Secp256k1, UnsignedTx } from '@firn/txs'
import type * as Records from '../Records.ts'
import { nextTime } from '../Records.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'
import { spend } from './spend.ts'
import * as stakers from './stakers.ts'
import * as time from './time.ts'

/** Decision on a proposal. */
export type Choice = 'commit' | 'abort'

/** Advances the chain's time if the proposal is committed. Before Banff, only such proposals advanced the time. */
export function advance(
  draft: Draft,
  _txId: Uint8Array,
  { type, time: to }: UnsignedTx.Of<'AdvanceTimeTx'>,
  choice: Choice,
): void {
  assertBeforeBanff(draft, to, type)
  if (choice === 'abort') return
  time.assertNext(draft, to)
  time.advance(draft, to)
}

function assertBeforeBanff(draft: Draft, at: bigint, type: UnsignedTx.TxType): void {
  if (!Upgrades.isActive(draft.rules.constants.upgrades, 'banff', at)) return
  refuse('LEDGER_TX_TYPE', `${type} proposals are not allowed since Banff, got one at time ${at}`, {
    type,
    time: at,
  })
}

/**
 * Adds a staker by a proposal, as was required before Banff. An aborted proposal returns the stake but not
 * the fee.
 */
export function addStaker(
  draft: Draft,
  txId: Uint8Array,
  tx: UnsignedTx.Of<'AddValidatorTx' | 'AddSubnetValidatorTx' | 'AddDelegatorTx'>,
  choice: Choice,
): void {
  assertBeforeBanff(draft, draft.tip.time, tx.type)
  if (choice === 'commit') stakers.add(draft, txId, tx)
  spend(draft, txId, tx, undefined)
  if (choice === 'abort') returnStake(draft, stakers.describe(txId, tx))
}

/**
 * Returns the next staker to be rewarded. The transaction `txId` must have added it, and its staking period must end
 * at the current time.
 */
function next(draft: Draft, txId: Uint8Array): Records.Staker {
  const first = firstCurrent(draft)
  if (first === undefined || !Bytes.equals(first.txId, txId) || nextTime(first) !== draft.tip.time) {
    const details = { expected: first && Id.format(first.txId), actual: Id.format(txId) }
    const expected =
      first === undefined ? 'no reward' : `a reward for staker ${details.expected} at time ${nextTime(first)}`
    refuse(
      'LEDGER_STAKER',
      `expected ${expected}, got a reward for staker ${details.actual} at time ${draft.tip.time}`,
      details,
    )
  }
  return first
}

function firstCurrent(draft: Draft): Records.Staker | undefined {
  for (const staker of draft.ordered('staker')) if (staker.status === 'current') return staker
  return undefined
}

/** Ends a staker's single period: returns the stake and removes the staker, with or without a reward. */
export function reward(
  draft: Draft,
  _txId: Uint8Array,
  { txID: stakerId }: UnsignedTx.Of<'RewardValidatorTx'>,
  choice: Choice,
): void {
  const staker = next(draft, stakerId)
  if (staker.autoRenewal !== undefined || staker.kind === 'permissioned') {
    refuse('LEDGER_TX_TYPE', 'a RewardValidatorTx cannot reward an auto-renewed or permissioned validator')
  }
  returnStake(draft, staker)
  const earned = choice === 'commit' ? staker.potentialReward : 0n
  if (staker.role === 'validator') {
    payRewards(draft, staker, [
      [earned, staker.rewardsOwner],
      [staker.delegateeReward, staker.delegationRewardsOwner],
    ])
  } else if (choice === 'commit') rewardDelegator(draft, staker)
  stakers.remove(draft, staker)
  if (choice === 'abort') draft.addSupply(staker.subnetId, -staker.potentialReward)
}

/**
 * Pays a delegator's reward minus the validator's share. If the validator started at or after Cortina, that share is
 * paid when the validator's period ends.
 */
function rewardDelegator(draft: Draft, delegator: Records.Staker): void {
  const validator = stakers.currentValidator(draft, delegator.subnetId, delegator.nodeId)
  const { fromShares, remainder } = Rewards.split(delegator.potentialReward, validator.shares)
  const isDeferred = Upgrades.isActive(draft.rules.constants.upgrades, 'cortina', validator.startTime)
  payRewards(draft, delegator, [
    [remainder, delegator.rewardsOwner],
    [isDeferred ? 0n : fromShares, validator.delegationRewardsOwner],
  ])
  if (!isDeferred || fromShares === 0n) return
  const delegateeReward = validator.delegateeReward + fromShares
  draft.write('staker', validator, { ...validator, delegateeReward })
}

function returnStake(draft: Draft, { txId, stake, stakeIndex }: Records.Staker): void {
  stake.forEach(({ assetID: assetId, output }, i) => {
    draft.makeUtxo({ txID: txId, outputIndex: stakeIndex + i, assetID: assetId, output }, 'stake')
  })
}

type Due = readonly [amount: bigint, owner: Secp256k1.OutputOwners | undefined]

/** Pays rewards as outputs of the transaction that added the staker, after the returned stake. */
function payRewards(draft: Draft, { txId, stake, stakeIndex }: Records.Staker, dues: readonly Due[]): void {
  const assetId = stake[0]?.assetID ?? draft.rules.avaxAssetId
  pay(draft, txId, stakeIndex + stake.length, assetId, dues)
}

/** Creates an output for each amount that is not 0, with consecutive indices. */
function pay(
  draft: Draft,
  txId: Uint8Array,
  firstIndex: number,
  assetId: Uint8Array,
  dues: readonly Due[],
): void {
  let outputIndex = firstIndex
  for (const [amount, owner] of dues) {
    if (amount === 0n || owner === undefined) continue
    const { locktime, threshold, addresses } = owner
    const output = { type: 'TransferOutput', amount, locktime, threshold, addresses } as const
    draft.makeUtxo({ txID: txId, outputIndex, assetID: assetId, output }, 'reward')
    outputIndex++
  }
}

/**
 * Ends an auto-renewed validator's cycle. Either the next cycle starts, or the validator leaves and receives
 * its stake and all rewards.
 */
export function rewardAutoRenewed(
  draft: Draft,
  txId: Uint8Array,
  tx: UnsignedTx.Of<'RewardAutoRenewedValidatorTx'>,
  choice: Choice,
): void {
  if (tx.timestamp !== draft.tip.time) {
    refuse('LEDGER_TIME', `expected the reward timestamp ${draft.tip.time}, got ${tx.timestamp}`)
  }
  const staker = next(draft, tx.txID)
  const { autoRenewal } = staker
  if (autoRenewal === undefined) {
    refuse('LEDGER_TX_TYPE', 'expected an auto-renewed validator, got a staker with a single period')
  }
  if (choice === 'commit' && autoRenewal.nextPeriod > 0n) {
    renew(draft, txId, staker, autoRenewal)
    return
  }
  returnStake(draft, staker)
  stakers.remove(draft, staker)
  const earned = choice === 'commit' ? staker.potentialReward : 0n
  payFromProposal(draft, txId, staker, [
    earned + autoRenewal.accruedValidationRewards,
    staker.delegateeReward + autoRenewal.accruedDelegateeRewards,
  ])
  if (choice === 'abort') draft.addSupply(staker.subnetId, -staker.potentialReward)
}

/**
 * Pays the rewards of an auto-renewed validator as outputs of the proposal, because there is one proposal per
 * cycle.
 */
function payFromProposal(
  draft: Draft,
  txId: Uint8Array,
  { rewardsOwner, delegationRewardsOwner }: Records.Staker,
  [validation, delegatee]: readonly [bigint, bigint],
): void {
  pay(draft, txId, 0, draft.rules.avaxAssetId, [
    [validation, rewardsOwner],
    [delegatee, delegationRewardsOwner],
  ])
}

function renew(draft: Draft, txId: Uint8Array, staker: Records.Staker, renewal: Records.AutoRenewal): void {
  const { potentialReward, delegateeReward, weight, endTime } = staker
  const [validation, delegatee] = restaked(draft, staker, renewal)
  payFromProposal(draft, txId, staker, [potentialReward - validation, delegateeReward - delegatee])
  const renewed = stakers.mint(draft, {
    ...staker,
    startTime: endTime,
    endTime: endTime + renewal.nextPeriod,
    weight: weight + validation + delegatee,
    delegateeReward: 0n,
    autoRenewal: {
      ...renewal,
      accruedValidationRewards: renewal.accruedValidationRewards + validation,
      accruedDelegateeRewards: renewal.accruedDelegateeRewards + delegatee,
    },
  })
  draft.write('staker', staker, renewed)
  draft.addWeight(staker.subnetId, staker.nodeId, validation + delegatee)
}

/**
 * Returns the amounts to stake again, from the validator's own reward and from its share of the delegators'
 * rewards. They are limited by the maximum stake.
 */
function restaked(
  draft: Draft,
  { potentialReward, delegateeReward, weight }: Records.Staker,
  { autoCompoundRewardShares: shares }: Records.AutoRenewal,
): readonly [bigint, bigint] {
  const validation = Rewards.split(potentialReward, shares).fromShares
  const delegatee = Rewards.split(delegateeReward, shares).fromShares
  const room = draft.rules.constants.staking.maxValidatorStake - weight
  const total = validation + delegatee
  if (total <= room) return [validation, delegatee]
  const capped = (validation * room) / total
  return [capped, room - capped]
}
