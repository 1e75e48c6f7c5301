import * as Amount from '../avax/Amount.ts'
import * as Gas from './Gas.ts'

/** The price parameters of a network's L1 validators (ACP-77). */
export interface Config {
  /** Maximum number of active L1 validators. */
  readonly capacity: bigint
  /** Number of active L1 validators at which the price stays constant. */
  readonly target: bigint
  /** Minimum price of a validator per second, in nAVAX. */
  readonly minPrice: bigint
  /** The excess that multiplies the price by e. */
  readonly excessConversionConstant: bigint
}

/** The number of active L1 validators, and the excess that determines their price. */
export interface State {
  readonly current: bigint
  readonly excess: bigint
}

/** Returns the price of a validator per second at an excess, in nAVAX. */
export function price(excess: bigint, { minPrice, excessConversionConstant }: Config): bigint {
  return Gas.price({ minPrice, excess, excessConversionConstant })
}

/** Returns the state `seconds` later, with the same validators. */
export function advanceTime({ current, excess }: State, target: bigint, seconds: bigint): State {
  if (current < target) return { current, excess: Gas.reduce(excess, (target - current) * seconds) }
  return { current, excess: Amount.saturate(excess + (current - target) * seconds) }
}

/** Returns what a validator pays for the next `seconds`, in nAVAX; at most 2^64 − 1. */
export function costOf(state: State, config: Config, seconds: bigint): bigint {
  let cost = 0n
  for (const run of runs(state, config, seconds)) {
    cost += run.price * run.seconds
    if (cost > Amount.MAX) return Amount.MAX
  }
  return cost
}

/** Returns for how many seconds `funds` (nAVAX) pay, at most `maxSeconds`. */
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

/** Consecutive seconds with the same cost. */
interface Run {
  readonly price: bigint
  readonly seconds: bigint
}

/**
 * Yields the next `seconds` as runs of one price. The node proceeds second by second, each at the price after
 * it; the price is monotonic while the number of validators stays the same, so the end of a run can be
 * searched for.
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
 * Returns the last second at the price `current` of the second after `start`, found by doubling and then
 * halving steps, and the price of the second after it.
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
