import * as Amount from '../avax/Amount.ts'
import * as Gas from './Gas.ts'

/** Parameters of a network that determine the price of L1 validators (ACP-77). */
export interface Config {
  /** Maximum number of active L1 validators. */
  readonly capacity: bigint
  /** Number of active L1 validators at which the price stays constant. */
  readonly target: bigint
  /** Minimum price of a validator in nAVAX per second. */
  readonly minPrice: bigint
  /** Increase of the excess that multiplies the price by e. */
  readonly excessConversionConstant: bigint
}

/** The number of active L1 validators, and the excess that determines the price of each. */
export interface State {
  readonly current: bigint
  readonly excess: bigint
}

/**
 * Returns the price of a validator in nAVAX per second at the given excess.
 * @example
 * ```ts
 * import { ValidatorFee } from '@firn/txs'
 *
 * declare const config: ValidatorFee.Config // of platform.getValidatorFeeConfig
 * const price = ValidatorFee.price(0n, config) // the minimum price
 * ```
 */
export function price(excess: bigint, { minPrice, excessConversionConstant }: Config): bigint {
  return Gas.price({ minPrice, excess, excessConversionConstant })
}

/**
 * Returns the state after `seconds` with an unchanged number of validators.
 * @example
 * ```ts
 * import { ValidatorFee } from '@firn/txs'
 *
 * const { excess } = ValidatorFee.advanceTime({ current: 10_500n, excess: 1_000n }, 10_000n, 60n)
 * excess // 31000n
 * ```
 */
export function advanceTime({ current, excess }: State, target: bigint, seconds: bigint): State {
  if (current < target) return { current, excess: Gas.reduce(excess, (target - current) * seconds) }
  return { current, excess: Amount.saturate(excess + (current - target) * seconds) }
}

/**
 * Returns the cost of a validator for the next `seconds` in nAVAX, at most 2^64 − 1.
 * @example
 * ```ts
 * import { ValidatorFee } from '@firn/txs'
 *
 * declare const config: ValidatorFee.Config // of platform.getValidatorFeeConfig
 * const perDay = ValidatorFee.costOf({ current: 100n, excess: 0n }, config, 86_400n)
 * ```
 */
export function costOf(state: State, config: Config, seconds: bigint): bigint {
  let cost = 0n
  for (const run of runs(state, config, seconds)) {
    cost += run.price * run.seconds
    if (cost > Amount.MAX) return Amount.MAX
  }
  return cost
}

/**
 * Returns the number of seconds for which `funds` (nAVAX) pay for a validator, at most `maxSeconds`.
 * @example
 * ```ts
 * import { ValidatorFee } from '@firn/txs'
 *
 * declare const config: ValidatorFee.Config // of platform.getValidatorFeeConfig
 * const state = { current: 100n, excess: 0n }
 * const seconds = ValidatorFee.secondsRemaining(state, config, 86_400n, 5_120_000n)
 * ```
 */
export function secondsRemaining(state: State, config: Config, maxSeconds: bigint, funds: bigint): bigint {
  if (config.minPrice === 0n) return maxSeconds
  let [left, seconds] = [funds, 0n]
  for (const run of runs(state, config, maxSeconds)) {
    const paid = left / run.price
    if (paid < run.seconds) return seconds + paid
    left -= run.price * run.seconds
    seconds += run.seconds
  }
  return seconds
}

/** Consecutive seconds with the same price. */
interface Run {
  readonly price: bigint
  readonly seconds: bigint
}

/**
 * Yields the next `seconds` as runs of a constant price. The node charges each second at the price that
 * applies after that second. While the number of validators is constant, the price is monotonic, so the end
 * of a run is found by a search.
 */
function* runs(state: State, config: Config, seconds: bigint): Generator<Run> {
  const priceAfter = (elapsed: bigint) => price(advanceTime(state, config.target, elapsed).excess, config)
  let [done, current] = [0n, seconds > 0n ? priceAfter(1n) : 0n]
  while (done < seconds) {
    const run = findRun(priceAfter, done, seconds, current)
    yield { price: current, seconds: run.end - done }
    done = run.end
    current = run.nextPrice
  }
}

/**
 * Returns the last second of the run that begins after `start` at the price `current`, and the price of the following
 * second. Uses an exponential search, then a binary search.
 */
function findRun(
  priceAfter: (elapsed: bigint) => bigint,
  start: bigint,
  max: bigint,
  current: bigint,
): { readonly end: bigint; readonly nextPrice: bigint } {
  let [low, high, nextPrice] = [start + 1n, max + 1n, 0n]
  for (let step = 1n; low + step < high; step *= 2n) {
    const found = priceAfter(low + step)
    if (found !== current) {
      high = low + step
      nextPrice = found
      break
    }
    low += step
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const found = priceAfter(middle)
    if (found === current) low = middle
    else {
      high = middle
      nextPrice = found
    }
  }
  return { end: low, nextPrice }
}
