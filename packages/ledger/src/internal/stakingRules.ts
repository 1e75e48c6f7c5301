import { Bytes, Id, NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { UnsignedTx } from '@firn/txs'
import type * as Records from '../Records.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'
import { type BoundedTx, describe, isBounded, validator } from './stakers.ts'

/** A validator may have at most this many times its own weight, delegations included. */
const MAX_WEIGHT_FACTOR = 5n

interface Limits {
  readonly assetId: Uint8Array
  readonly minStake: bigint
  readonly maxStake: bigint
  readonly minFee: number
  readonly minDuration: bigint
  readonly maxDuration: bigint
  readonly maxFactor: bigint
}

/** The rule for stakers that a transaction breaks. */
export type StakingRule =
  | 'weight-low'
  | 'weight-high'
  | 'fee'
  | 'too-short'
  | 'too-long'
  | 'asset'
  | 'duplicate'
  | 'no-validator'
  | 'not-primary'
  | 'period'
  | 'over-delegated'
  | 'permissioned'
  | 'permissionless'

/**
 * Checks the rules for stakers that accepted blocks are not checked for, in the node's order: amount, fee, duration, the
 * validator, and the sum of its delegations. Nodes of networks other than mainnet and fuji can be configured, so amounts,
 * fees and durations must equal the constants there.
 * @throws LedgerError `LEDGER_STAKING_RULE` whose `details.reason` names the rule
 */
export function assertStakingRules(draft: Draft, txId: Uint8Array, tx: UnsignedTx.UnsignedTx): void {
  if (tx.type === 'RemoveSubnetValidatorTx') assertRemovable(draft, tx)
  else if (tx.type === 'AddAutoRenewedValidatorTx') assertAutoRenewed(draft, tx)
  else if (isBounded(tx)) assertBounded(draft, tx, describe(txId, tx))
}

function assertBounded(draft: Draft, tx: BoundedTx, staker: Records.Staker): void {
  const { subnetId, nodeId, role, kind, endTime, weight } = staker
  const startTime = draft.tip.time
  const limits = limitsOf(draft, subnetId, role)
  if (kind !== 'permissioned') assertElastic(draft, subnetId)
  if (kind === 'permissioned') assertDuration(limits, endTime - startTime)
  else {
    assertAmount(limits, weight, role)
    if (role === 'validator') assertFee(limits, staker.shares)
    assertDuration(limits, endTime - startTime)
    const assetId = 'stake' in tx ? tx.stake[0]?.assetID : undefined
    if (assetId !== undefined && !Bytes.equals(assetId, limits.assetId))
      broken('asset', { expected: Id.format(limits.assetId), actual: Id.format(assetId) })
  }
  const found = validator(draft, subnetId, nodeId)
  if (role === 'validator') {
    if (found !== undefined) broken('duplicate', { nodeId, subnetId })
    if (!Bytes.isZero(subnetId)) assertOnPrimary(draft, nodeId, startTime, endTime)
    return
  }
  if (found === undefined) broken('no-validator', { nodeId, subnetId })
  assertInside(found, startTime, endTime)
  const most = min(found.weight * limits.maxFactor, limits.maxStake)
  if (weightOf(draft, found) + weight > most) broken('over-delegated', { nodeId, subnetId })
  if (found.kind === 'permissioned') broken('permissioned', { nodeId, subnetId })
}

/** Checks that anybody may stake on a subnet. */
function assertElastic(draft: Draft, subnetId: Uint8Array): void {
  if (Bytes.isZero(subnetId) || draft.subnet(subnetId).transformation !== undefined) return
  const text = Id.format(subnetId)
  refuse('LEDGER_SUBNET', `unknown staking asset: subnet ${text} was not made elastic`, { subnetId: text })
}

function assertAutoRenewed(draft: Draft, tx: UnsignedTx.Of<'AddAutoRenewedValidatorTx'>): void {
  const subnetId = Networks.PRIMARY_NETWORK_ID
  const limits = limitsOf(draft, subnetId, 'validator')
  assertAmount(limits, stakeOf(tx), 'validator')
  assertFee(limits, tx.delegationShares)
  assertDuration(limits, tx.period)
  const nodeId = tx.nodeID
  if (validator(draft, subnetId, nodeId) !== undefined) broken('duplicate', { nodeId, subnetId })
}

function stakeOf({ stake }: UnsignedTx.Of<'AddAutoRenewedValidatorTx'>): bigint {
  return stake.reduce((sum, { output }) => {
    return sum + (output.type === 'LockOut' ? output.output.amount : output.amount)
  }, 0n)
}

function assertRemovable(draft: Draft, tx: UnsignedTx.Of<'RemoveSubnetValidatorTx'>): void {
  const { subnetID: subnetId, nodeID: nodeId } = tx
  const found = validator(draft, subnetId, nodeId)
  if (found === undefined) broken('no-validator', { nodeId, subnetId })
  if (found?.kind !== 'permissioned') broken('permissionless', { nodeId, subnetId })
}

/** Checks that a subnet's validator validates the Primary Network all the time. */
function assertOnPrimary(draft: Draft, nodeId: Uint8Array, start: bigint, end: bigint): void {
  const primary = validator(draft, Networks.PRIMARY_NETWORK_ID, nodeId)
  if (primary === undefined) broken('not-primary', { nodeId })
  assertInside(primary, start, end)
}

function assertInside({ startTime, endTime }: Records.Staker, start: bigint, end: bigint): void {
  if (start < startTime || end > endTime) broken('period')
}

/** Returns the weight of a validator with its current and pending delegators. */
function weightOf(draft: Draft, { subnetId, nodeId, weight }: Records.Staker): bigint {
  let sum = weight
  for (const staker of draft.ordered('staker')) {
    const isDelegator = staker.role === 'delegator' && Bytes.equals(staker.nodeId, nodeId)
    if (isDelegator && Bytes.equals(staker.subnetId, subnetId)) sum += staker.weight
  }
  return sum
}

/** Returns the limits for stakers of a subnet: the Primary Network's limits unless the subnet is elastic. */
function limitsOf(draft: Draft, subnetId: Uint8Array, role: Records.Staker['role']): Limits {
  const { staking, upgrades } = draft.rules.constants
  const { maxStakeDuration: maxDuration } = staking
  const transformation = Bytes.isZero(subnetId) ? undefined : draft.subnet(subnetId).transformation?.tx
  if (transformation !== undefined) {
    const { assetID: assetId, minValidatorStake, minDelegatorStake, maxValidatorStake } = transformation
    return {
      assetId,
      minStake: role === 'validator' ? minValidatorStake : minDelegatorStake,
      maxStake: maxValidatorStake,
      minFee: transformation.minDelegationFee,
      minDuration: BigInt(transformation.minStakeDuration),
      maxDuration: BigInt(transformation.maxStakeDuration),
      maxFactor: BigInt(transformation.maxValidatorWeightFactor),
    }
  }
  const isLate = role === 'validator' && Bytes.isZero(subnetId) && draft.tip.time >= upgrades.helicon
  return {
    assetId: draft.rules.avaxAssetId,
    minStake: role === 'validator' ? staking.minValidatorStake : staking.minDelegatorStake,
    maxStake: staking.maxValidatorStake,
    minFee: staking.minDelegationFee,
    minDuration: isLate ? staking.heliconMinStakeDuration : staking.minStakeDuration,
    maxDuration,
    maxFactor: MAX_WEIGHT_FACTOR,
  }
}

function assertAmount({ minStake, maxStake }: Limits, weight: bigint, role: Records.Staker['role']): void {
  if (weight < minStake) broken('weight-low', { weight, minimum: minStake })
  if (role === 'validator' && weight > maxStake) {
    broken('weight-high', { weight, maximum: maxStake })
  }
}

function assertFee({ minFee }: Limits, shares: number): void {
  if (shares < minFee) broken('fee', { shares, minimum: minFee })
}

function assertDuration({ minDuration, maxDuration }: Limits, duration: bigint): void {
  if (duration < minDuration) broken('too-short', { duration, minimum: minDuration })
  if (duration > maxDuration) broken('too-long', { duration, maximum: maxDuration })
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function broken(reason: StakingRule, { nodeId, subnetId, ...numbers }: Details = {}): never {
  const details = {
    reason,
    ...(nodeId === undefined ? {} : { nodeId: NodeId.format(nodeId) }),
    ...(subnetId === undefined ? {} : { subnetId: Id.format(subnetId) }),
    ...numbers,
  }
  const facts = Object.entries(details).map(([name, value]) => `${name} ${value}`)
  return refuse('LEDGER_STAKING_RULE', `the staker breaks a rule: ${facts.join(', ')}`, details)
}

interface Details {
  readonly nodeId?: Uint8Array
  readonly subnetId?: Uint8Array
  readonly [name: string]: unknown
}
