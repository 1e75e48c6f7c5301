import { expect, it } from 'vitest'
import * as Networks from './Networks.ts'
import * as Rewards from './Rewards.ts'
import { codeOf } from './testing/code.ts'
import { cases, type VectorCase } from './testing/vectors.ts'

const configOf = (item: VectorCase): Rewards.Config => ({
  maxConsumptionRate: BigInt(item['maxConsumptionRate']),
  minConsumptionRate: BigInt(item['minConsumptionRate']),
  mintingPeriod: BigInt(item['mintingPeriodNanoseconds']),
  supplyCap: BigInt(item['supplyCap']),
})
const stakeOf = (item: VectorCase): Rewards.Stake => ({
  duration: BigInt(item['durationNanoseconds']),
  amount: BigInt(item['stakedAmount']),
  currentSupply: BigInt(item['currentSupply']),
})

it('calculates the same rewards as the test vectors', () => {
  for (const item of cases('fees', 'reward')) {
    expect(String(Rewards.calculate(configOf(item), stakeOf(item)))).toBe(item['reward'])
  }
})

it('lowers the minimum reward rate after Helicon in the same way as the test vectors', () => {
  for (const item of cases('fees', 'rewardPrimary')) {
    const [helicon, start] = [BigInt(item['heliconTime']), BigInt(item['stakeStart'])]
    const reward = Rewards.calculatePrimary(configOf(item), helicon, start, stakeOf(item))
    expect(String(reward)).toBe(item['reward'])
  }
})

it('splits rewards in the same way as the test vectors', () => {
  for (const item of cases('fees', 'split')) {
    const { fromShares, remainder } = Rewards.split(BigInt(item['total']), item['shares'])
    expect([String(fromShares), String(remainder)]).toEqual([item['fromShares'], item['remainder']])
  }
})

const { reward } = Networks.MAINNET
const stake = { duration: reward.mintingPeriod, amount: 2n ** 64n - 1n, currentSupply: 1n }

it('returns a reward of at most the amount that remains to be minted', () => {
  expect(Rewards.calculate(reward, stake)).toBe(reward.supplyCap - 1n)
  expect(Rewards.calculate(reward, { ...stake, currentSupply: reward.supplyCap })).toBe(0n)
})

it.each([
  ['no supply', () => Rewards.calculate(reward, { ...stake, currentSupply: 0n })],
  ['no minting period', () => Rewards.calculate({ ...reward, mintingPeriod: 0n }, stake)],
  ['too many shares', () => Rewards.split(1n, 1_000_001)],
  ['negative shares', () => Rewards.split(1n, -1)],
])('rejects %s', (_name, work) => {
  expect(codeOf(work)).toBe('GENESIS_REWARD')
})
