import { describe, expect, test } from 'vitest'
import { avax } from './Amount.ts'
import type { Context } from './Operation.ts'
import { assertStake, type Stake, type StakingLimits } from './stakingLimits.ts'
import { WalletError } from './WalletError.ts'

const DAY = 86_400n
const LIMITS: StakingLimits = {
  minValidatorStake: avax('2000'),
  maxValidatorStake: avax('3000000'),
  minDelegatorStake: avax('25'),
  minDelegatorPeriod: DAY,
  minValidatorPeriod: 3_600n,
  maxPeriod: 365n * DAY,
  remedy: 'Pass others.',
}

/** Returns the error for a stake; undefined if the limits allow it. */
const errorOf = async (stake: Partial<Stake>, stakingLimits?: () => Promise<StakingLimits>) => {
  const given = { role: 'validator' as const, stake: avax('2000'), period: DAY, ...stake }
  const node = { stakingLimits } as Context['node']
  return assertStake({ node } as Context, given).catch((error: Error) => error.message)
}

describe('assertStake', () => {
  test.each([
    ['the minimum', {}, undefined],
    ['the minimum period', { period: 3_600n }, undefined],
    ['a delegation', { role: 'delegator', stake: avax('25') }, undefined],
    [
      'a small stake',
      { stake: avax('2000') - 1n },
      'a stake of at least 2000 AVAX, the limit for a validator',
    ],
    [
      'a large stake',
      { stake: avax('3000000') + 1n },
      'a stake of at most 3000000 AVAX, the limit for a validator',
    ],
    ['a short period', { period: 3_599n }, 'a period of at least 3600 seconds, the limit for a validator'],
    [
      'a long period',
      { period: 366n * DAY },
      'a period of at most 31536000 seconds, the limit for a validator',
    ],
    [
      'a small delegation',
      { role: 'delegator', stake: avax('24') },
      'at least 25 AVAX, the limit for a delegator',
    ],
    [
      'a short delegation',
      { role: 'delegator', period: 3_600n },
      'at least 86400 seconds, the limit for a delegator',
    ],
  ] as const)('checks %s', async (_name, stake, text) => {
    const error = await errorOf(stake, async () => LIMITS)
    if (text === undefined) expect(error).toBeUndefined()
    else expect(error).toMatch(new RegExp(`${text} on this network, got .*\\. Pass others\\.$`))
  })

  test('checks nothing if the node does not know the limits', async () => {
    expect(await errorOf({ stake: 1n })).toBeUndefined()
    expect(await errorOf({ stake: 1n }, async () => ({}))).toBeUndefined()
    const failing = () => Promise.reject(new WalletError('WALLET_INPUT', 'none'))
    expect(await errorOf({ stake: 1n }, failing)).toBeUndefined()
  })
})
