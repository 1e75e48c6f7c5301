import { Network } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import type { Common, Values } from '@firn/options'

/** Values of the options for the staking rules of a custom network. Durations are in milliseconds. */
export type StakingOptions = Partial<Values<typeof Common.STAKING>>

/**
 * Returns a network's rules with the given staking rules. The nodes of Mainnet and Fuji cannot be configured, so the
 * options have no effect there.
 */
export function withStaking(constants: Networks.Constants, options: StakingOptions): Networks.Constants {
  const { networkId, staking } = constants
  if (networkId === Network.MAINNET || networkId === Network.FUJI) return constants
  return { ...constants, staking: { ...staking, ...readStaking(options) } }
}

function readStaking(options: StakingOptions): Partial<Networks.Staking> {
  const { minValidatorStake, maxValidatorStake, minDelegatorStake, minDelegationFee } = options
  const given = {
    ...{ minValidatorStake, maxValidatorStake, minDelegatorStake, minDelegationFee },
    minStakeDuration: toSeconds(options.minStakeDuration),
    maxStakeDuration: toSeconds(options.maxStakeDuration),
    heliconMinStakeDuration: toSeconds(options.heliconMinStakeDuration),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function toSeconds(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(Math.floor(ms / 1_000))
}
