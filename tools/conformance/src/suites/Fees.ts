import { Network } from '@firn/codec'
import { Networks, Rewards } from '@firn/genesis'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'
import { platformFees } from './PlatformFees.ts'

function rewardConfig(it: Case.Case): Rewards.Config {
  return {
    maxConsumptionRate: Case.bigint(it, 'maxConsumptionRate'),
    minConsumptionRate: Case.bigint(it, 'minConsumptionRate'),
    mintingPeriod: Case.bigint(it, 'mintingPeriodNanoseconds'),
    supplyCap: Case.bigint(it, 'supplyCap'),
  }
}

function stake(it: Case.Case): Rewards.Stake {
  return {
    duration: Case.bigint(it, 'durationNanoseconds'),
    amount: Case.bigint(it, 'stakedAmount'),
    currentSupply: Case.bigint(it, 'currentSupply'),
  }
}

function checkStaking(it: Case.Case, expected: Networks.Staking): void {
  const record = Case.record(it, 'staking')
  Case.equals(record, 'uptimeRequirement', expected.uptimeRequirement)
  Case.equals(record, 'minDelegationFee', expected.minDelegationFee)
  for (const field of ['minValidatorStake', 'maxValidatorStake', 'minDelegatorStake'] as const) {
    Case.equals(record, field, expected[field])
  }
  Case.equals(record, 'minStakeDurationSeconds', expected.minStakeDuration)
  Case.equals(record, 'maxStakeDurationSeconds', expected.maxStakeDuration)
  Case.equals(record, 'heliconMinStakeDurationSeconds', expected.heliconMinStakeDuration)
  Case.close(record)
}

/** Checks the fees of all chains, the parameters of the networks, and rewards. */
export const fees = Suite.create('fees.json', {
  ...platformFees,
  config(it) {
    const constants = Networks.of(Network.parseName(Case.text(it, 'name')))
    Case.equals(it, 'createAssetTxFee', constants.createAssetTxFee)
    Case.equals(it, 'txFee', constants.txFee)
    Case.equals(it, 'dynamicFee', constants.dynamicFee)
    Case.equals(it, 'validatorFee', constants.validatorFee)
    checkStaking(it, constants.staking)
    const reward = Case.record(it, 'reward')
    Case.same('reward', rewardConfig(reward), constants.reward)
    Case.close(reward)
    return undefined
  },
  reward(it) {
    Case.equals(it, 'reward', Rewards.calculate(rewardConfig(it), stake(it)))
    return undefined
  },
  rewardPrimary(it) {
    const [helicon, start] = [Case.bigint(it, 'heliconTime'), Case.bigint(it, 'stakeStart')]
    Case.equals(it, 'reward', Rewards.calculatePrimary(rewardConfig(it), helicon, start, stake(it)))
    return undefined
  },
  split(it) {
    const { fromShares, remainder } = Rewards.split(Case.bigint(it, 'total'), Case.number(it, 'shares'))
    Case.equals(it, 'fromShares', fromShares)
    Case.equals(it, 'remainder', remainder)
    return undefined
  },
})
