import * as Amount from '../avax/Amount.ts'
import { TxsError } from '../TxsError.ts'

/**
 * Use of each resource by a transaction (ACP-103): bytes, database reads and writes, and microseconds of
 * computing.
 */
export interface Dimensions {
  readonly bandwidth: bigint
  readonly dbRead: bigint
  readonly dbWrite: bigint
  readonly compute: bigint
}

/** The gas parameters of a network. */
export interface Config {
  /** Gas per unit of each dimension. */
  readonly weights: Dimensions
  /** Maximum gas that a block can use. */
  readonly maxCapacity: bigint
  /** Gas added to the capacity per second. */
  readonly maxPerSecond: bigint
  /** Gas per second at which the price stays constant. */
  readonly targetPerSecond: bigint
  /** Minimum price per unit of gas, in nAVAX. */
  readonly minPrice: bigint
  /** The excess that multiplies the price by e. */
  readonly excessConversionConstant: bigint
}

/** The gas available now, and the excess that determines the price. */
export interface State {
  readonly capacity: bigint
  readonly excess: bigint
}

/** Zero in every dimension. */
export const NONE: Dimensions = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }

/**
 * Returns the sum of complexities.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function add(...parts: readonly Dimensions[]): Dimensions {
  const sum = (name: keyof Dimensions) => Amount.sum(parts.map((part) => part[name]))
  return {
    bandwidth: sum('bandwidth'),
    dbRead: sum('dbRead'),
    dbWrite: sum('dbWrite'),
    compute: sum('compute'),
  }
}

/**
 * Returns the gas of a complexity.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function of(complexity: Dimensions, weights: Dimensions): bigint {
  const cost = (name: keyof Dimensions) => Amount.multiply(complexity[name], weights[name])
  return Amount.sum([cost('bandwidth'), cost('dbRead'), cost('dbWrite'), cost('compute')])
}

/**
 * Returns the cost of gas at a price, in nAVAX.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function cost(gas: bigint, pricePerUnit: bigint): bigint {
  return Amount.multiply(gas, pricePerUnit)
}

/**
 * Returns the price per unit of gas in nAVAX: `minPrice · e^(excess / excessConversionConstant)` in the
 * integer approximation that all nodes share; at most 2^64 − 1.
 */
export function price({
  minPrice,
  excess,
  excessConversionConstant: constant,
}: Pick<Config, 'minPrice' | 'excessConversionConstant'> & Pick<State, 'excess'>): bigint {
  const limit = constant * Amount.MAX
  let term = minPrice * constant
  let sum = 0n
  for (let i = 1n; term > 0n; i++) {
    sum += term
    if (sum >= limit) return Amount.MAX
    // One rounding: integer division by two numbers in succession equals division by their product.
    term = (term * excess) / (constant * i)
  }
  return sum / constant
}

/** Returns the state `seconds` later. */
export function advanceTime(
  state: State,
  config: Pick<Config, 'maxCapacity' | 'maxPerSecond' | 'targetPerSecond'>,
  seconds: bigint,
): State {
  return {
    capacity: Amount.min(state.capacity + config.maxPerSecond * seconds, config.maxCapacity),
    excess: reduce(state.excess, config.targetPerSecond * seconds),
  }
}

/**
 * Returns the state after a block that used `gas`.
 * @throws TxsError `TXS_CAPACITY`: less is available
 */
export function consume(state: State, gas: bigint): State {
  if (gas > state.capacity) {
    throw new TxsError('TXS_CAPACITY', `expected at most ${state.capacity} gas, got ${gas}`, {
      details: { capacity: state.capacity, gas },
    })
  }
  return { capacity: state.capacity - gas, excess: Amount.saturate(state.excess + gas) }
}

/** Returns `amount` minus `by`, at least 0. */
export function reduce(amount: bigint, by: bigint): bigint {
  return amount > by ? amount - by : 0n
}
