import { Upgrades } from '@firn/genesis'
import { Amount, Gas, ValidatorFee } from '@firn/txs'
import * as Records from '../Records.ts'
import * as l1Validators from './l1Validators.ts'
import type { PlatformDraft as Draft } from './PlatformDraft.ts'
import { refuse } from './refuse.ts'
import * as stakers from './stakers.ts'

/**
 * Checks that the chain's time may become `time`. It must not be before the current time, nor after the next time at
 * which a staker starts or ends or an L1 validator's balance is used up. Does not compare it with a clock.
 */
export function assertNext(draft: Draft, time: bigint): void {
  const { time: now } = draft.tip
  if (time < now)
    refuse('LEDGER_TIME', `expected a block time of at least ${now}, got ${time}`, { now, time })
  const next = nextChange(draft, time)
  if (time > next) {
    refuse(
      'LEDGER_TIME',
      `expected a block time of at most ${next} (the next change of the validators), got ${time}`,
      {
        next,
        time,
      },
    )
  }
}

/** Returns the time that a block built at `now` has: not before the current time, nor after the next change. */
export function nextTime(draft: Draft, now: bigint): bigint {
  const { time } = draft.tip
  return nextChange(draft, now > time ? now : time)
}

function nextChange(draft: Draft, limit: bigint): bigint {
  let next = limit
  for (const staker of draft.ordered('staker')) {
    const time = Records.nextTime(staker)
    if (time < next) next = time
    break
  }
  const first = l1Validators.firstActive(draft)
  if (first === undefined) return next
  const { time } = draft.tip
  const { accruedFees } = draft.platform
  const { validatorFee } = draft.rules.constants
  const funds = first.endAccumulatedFee - accruedFees
  const end =
    time + ValidatorFee.secondsRemaining(l1Validators.feeState(draft), validatorFee, next - time, funds)
  return Amount.min(end, next)
}

/**
 * Advances the chain's time: stakers start and end, gas refills, and L1 validators pay. Returns true if a
 * validator set changed.
 */
export function advance(draft: Draft, time: bigint): boolean {
  const before = draft.tip
  const ended = endingPermissioned(draft, time)
  let changed = startPending(draft, time)
  for (const staker of ended) {
    stakers.remove(draft, staker)
    changed = true
  }
  if (Upgrades.isActive(draft.rules.constants.upgrades, 'etna', time)) {
    dropExpiries(draft, time)
    changed = advanceFees(draft, time - before.time) || changed
  }
  if (time !== before.time) draft.setTip({ time })
  return changed
}

/**
 * Returns the permissioned validators whose staking period has ended. Other stakers stay until the proposal to reward
 * them is decided.
 */
function endingPermissioned(draft: Draft, time: bigint): Records.Staker[] {
  const ending: Records.Staker[] = []
  for (const staker of draft.ordered('staker')) {
    if (Records.nextTime(staker) > time) break
    if (staker.kind === 'permissioned' && staker.status === 'current') ending.push(staker)
  }
  return ending
}

function startPending(draft: Draft, time: bigint): boolean {
  const starting: Records.Staker[] = []
  for (const staker of draft.ordered('staker')) {
    if (Records.nextTime(staker) > time) break
    if (staker.status === 'pending') starting.push(staker)
  }
  // Rewards are computed in the order in which the stakers start. Then validators are added before delegators, so
  // that each delegator finds its validator.
  const promotions = starting.map((pending) => ({
    pending,
    current: stakers.promote(draft, pending, pending.startTime),
  }))
  for (const role of ['validator', 'delegator'] as const) {
    for (const { pending, current } of promotions) {
      if (pending.role !== role) continue
      stakers.remove(draft, pending)
      stakers.put(draft, current)
    }
  }
  return starting.length > 0
}

function dropExpiries(draft: Draft, time: bigint): void {
  const expired: Records.Expiry[] = []
  for (const expiry of draft.ordered('expiry')) {
    if (expiry.timestamp > time) break
    expired.push(expiry)
  }
  for (const expiry of expired) draft.write('expiry', expiry, undefined)
}

/**
 * Refills gas, charges L1 validators for the elapsed seconds, and deactivates those whose balance is used up.
 */
function advanceFees(draft: Draft, seconds: bigint): boolean {
  const { dynamicFee, validatorFee } = draft.rules.constants
  const { platform } = draft
  const state = l1Validators.feeState(draft)
  const accruedFees = platform.accruedFees + ValidatorFee.costOf(state, validatorFee, seconds)
  const { excess } = ValidatorFee.advanceTime(state, validatorFee.target, seconds)
  const gas = Gas.advanceTime(platform.gas, dynamicFee, seconds)
  if (seconds > 0n) draft.setPlatform({ gas, accruedFees, validatorExcess: excess })
  return l1Validators.deactivate(draft, (end) => end <= accruedFees)
}
