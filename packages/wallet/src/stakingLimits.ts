import { isFirnError } from '@firn/codec'
import { formatAvax } from './Amount.ts'
import type { Context } from './Operation.ts'
import { WalletError } from './WalletError.ts'

/** Limits of stakes on the Primary Network: amounts in nAVAX, and periods in seconds. Missing limits are not checked. */
export interface StakingLimits {
  readonly minValidatorStake?: bigint | undefined
  readonly maxValidatorStake?: bigint | undefined
  readonly minDelegatorStake?: bigint | undefined
  /** Minimum period of a delegation. */
  readonly minDelegatorPeriod?: bigint | undefined
  /** Minimum period of a validator. */
  readonly minValidatorPeriod?: bigint | undefined
  readonly maxPeriod?: bigint | undefined
  /** What to do if the limits are wrong, as a sentence that is added to errors. */
  readonly remedy?: string | undefined
}

/** A stake that is about to be built. */
export interface Stake {
  readonly role: 'validator' | 'delegator'
  readonly stake: bigint
  /** Period in seconds. */
  readonly period: bigint
}

/**
 * Checks a stake against the limits that the node knows. A node that does not return them checks the transaction when it
 * is issued.
 * @throws WalletError `WALLET_INPUT`
 */
export async function assertStake({ node, signal }: Context, { role, stake, period }: Stake): Promise<void> {
  const limits = await node.stakingLimits?.(signal).catch((error: unknown) => {
    if (!isFirnError(error) || signal?.aborted === true) throw error
    return undefined
  })
  if (limits === undefined) return
  const [minStake, minPeriod] =
    role === 'validator'
      ? [limits.minValidatorStake, limits.minValidatorPeriod]
      : [limits.minDelegatorStake, limits.minDelegatorPeriod]
  const { maxValidatorStake, maxPeriod, remedy } = limits
  const limit = (isMet: boolean, what: string, expected: string, actual: string) => {
    if (isMet) return
    const message = `expected a ${what} of ${expected}, the limit for a ${role} on this network, got ${actual}`
    throw new WalletError('WALLET_INPUT', remedy === undefined ? message : `${message}. ${remedy}`)
  }
  const [amount, seconds] = [`${formatAvax(stake)} AVAX`, `${period}`]
  if (minStake !== undefined)
    limit(stake >= minStake, 'stake', `at least ${formatAvax(minStake)} AVAX`, amount)
  if (role === 'validator' && maxValidatorStake !== undefined)
    limit(stake <= maxValidatorStake, 'stake', `at most ${formatAvax(maxValidatorStake)} AVAX`, amount)
  if (minPeriod !== undefined) limit(period >= minPeriod, 'period', `at least ${minPeriod} seconds`, seconds)
  if (maxPeriod !== undefined) limit(period <= maxPeriod, 'period', `at most ${maxPeriod} seconds`, seconds)
}
