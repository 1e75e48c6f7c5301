import { GenesisError } from './GenesisError.ts'

/** Denominator of shares and rates, whose unit is one millionth. */
export const DENOMINATOR = 1_000_000n

/** The minting parameters of a network or an elastic subnet. */
export interface Config {
  /** Rate in millionths for a stake that lasts a whole minting period. */
  readonly maxConsumptionRate: bigint
  /** Rate in millionths for a stake whose duration approaches zero. */
  readonly minConsumptionRate: bigint
  /** Length of the minting period in nanoseconds. */
  readonly mintingPeriod: bigint
  /** Maximum supply. */
  readonly supplyCap: bigint
}

/** The parameters of a stake, and the supply of the staked asset when the stake starts. */
export interface Stake {
  /** Duration of the stake in nanoseconds. */
  readonly duration: bigint
  readonly amount: bigint
  readonly currentSupply: bigint
}

/**
 * Returns the potential reward of a stake: `remaining × (min × period + (max − min) × duration) × amount ×
 * duration`, divided by `period × 10^6`, by the supply and by the period. Each of these divisions rounds
 * down, in this order. The reward is at most the amount that remains to be minted. Source: avalanchego
 * `reward.Calculate`.
 * @example
 * ```ts
 * import { Networks, Rewards } from '@firn/genesis'
 *
 * const stake = {
 *   amount: 2_000n * 10n ** 9n,
 *   duration: 14n * 86_400n * 10n ** 9n, // two weeks
 *   currentSupply: 460_000_000n * 10n ** 9n,
 * }
 * Rewards.calculate(Networks.MAINNET.reward, stake) // 4369176042n
 * ```
 * @throws GenesisError `GENESIS_REWARD` if the supply or the minting period is not above 0
 */
export function calculate(config: Config, stake: Stake): bigint {
  const { maxConsumptionRate, minConsumptionRate, mintingPeriod, supplyCap } = config
  const { duration, amount, currentSupply } = stake
  if (currentSupply <= 0n || mintingPeriod <= 0n) {
    throw new GenesisError(
      'GENESIS_REWARD',
      `expected a supply and a minting period above 0, got supply ${currentSupply} and minting period ${mintingPeriod}`,
      { details: { currentSupply, mintingPeriod } },
    )
  }
  // If the supply exceeds its cap, the 64-bit subtraction wraps around, as in the reference.
  const remaining = BigInt.asUintN(64, supplyCap - currentSupply)
  const rates = BigInt.asUintN(64, maxConsumptionRate - minConsumptionRate)
  const rate = rates * duration + minConsumptionRate * mintingPeriod
  const minted = (remaining * rate * amount * duration) / (mintingPeriod * DENOMINATOR)
  const reward = minted / currentSupply / mintingPeriod
  return reward < remaining ? reward : remaining
}

/** Minimum rate in millionths from 90 days after Helicon on (ACP-285). */
const HELICON_MIN_RATE = 75_000n
const HELICON_RAMP = 90n * 86_400n * 1_000_000_000n
const SECOND = 1_000_000_000n

/**
 * Returns the reward parameters of the Primary Network for a stake that starts at `start`. `start` and `heliconTime`
 * are in Unix seconds. After Helicon, the minimum rate changes to 7.5 % over 90 days (ACP-285), unless the maximum
 * rate is lower.
 * @example
 * ```ts
 * import { Networks, Rewards } from '@firn/genesis'
 *
 * const heliconTime = 1_800_000_000n
 * const { minConsumptionRate } = Rewards.configAt(Networks.MAINNET.reward, heliconTime, 1_803_888_000n)
 * minConsumptionRate // 87500n
 * ```
 */
export function configAt(config: Config, heliconTime: bigint, start: bigint): Config {
  const { minConsumptionRate, maxConsumptionRate } = config
  if (start < heliconTime || maxConsumptionRate < HELICON_MIN_RATE) return config
  const elapsed = (start - heliconTime) * SECOND
  const full = HELICON_MIN_RATE - minConsumptionRate
  const change = elapsed < HELICON_RAMP ? (full * elapsed) / HELICON_RAMP : full
  return { ...config, minConsumptionRate: minConsumptionRate + change }
}

/**
 * Returns the potential reward of a Primary Network stake that starts at `start` (Unix seconds).
 * @example
 * ```ts
 * import { Networks, Rewards } from '@firn/genesis'
 *
 * const { reward, upgrades } = Networks.MAINNET
 * const stake = {
 *   amount: 2_000n * 10n ** 9n,
 *   duration: 14n * 86_400n * 10n ** 9n, // two weeks
 *   currentSupply: 460_000_000n * 10n ** 9n,
 * }
 * Rewards.calculatePrimary(reward, upgrades.helicon, 1_760_000_000n, stake) // 4369176042n
 * ```
 * @throws GenesisError `GENESIS_REWARD`
 */
export function calculatePrimary(config: Config, heliconTime: bigint, start: bigint, stake: Stake): bigint {
  return calculate(configAt(config, heliconTime, start), stake)
}

/** The result of {@link split}. */
export interface Split {
  /** The part for the shares, such as a validator's commission on a delegator's reward. */
  readonly fromShares: bigint
  readonly remainder: bigint
}

const U64_MAX = 0xffff_ffff_ffff_ffffn

/**
 * Splits an amount into the part of `shares` millionths and the remainder. `remainder` is rounded down. If its
 * product before the division exceeds 64 bits, the amount is divided before it is multiplied, as in the reference.
 * @example
 * ```ts
 * import { Rewards } from '@firn/genesis'
 *
 * Rewards.split(1_000_000_000n, 20_000) // { fromShares: 20000000n, remainder: 980000000n }
 * ```
 * @throws GenesisError `GENESIS_REWARD` if there are more than 1,000,000 shares
 */
export function split(total: bigint, shares: number): Split {
  const rest = DENOMINATOR - BigInt(shares)
  if (rest < 0n || rest > DENOMINATOR) {
    throw new GenesisError('GENESIS_REWARD', `expected 0 to ${DENOMINATOR} shares, got ${shares}`, {
      details: { shares },
    })
  }
  const product = rest * total
  const remainder = product > U64_MAX ? rest * (total / DENOMINATOR) : product / DENOMINATOR
  return { fromShares: total - remainder, remainder }
}
