import * as Amount from '../avax/Amount.ts'
import { TxsError } from '../TxsError.ts'

/** What a transaction uses of each resource (ACP-103): bytes, database reads and writes, and microseconds of computing. */
export interface Dimensions {
  readonly bandwidth: bigint
  readonly dbRead: bigint
  readonly dbWrite: bigint
  readonly compute: bigint
}

/** How a network meters gas. */
export interface Config {
  /** Gas that one unit of each dimension costs. */
  readonly weights: Dimensions
  /** Most gas that a block can use. */
  readonly maxCapacity: bigint
  /** Gas by which the capacity grows each second. */
  readonly maxPerSecond: bigint
  /** Gas a second at which the price stays as it is. */
  readonly targetPerSecond: bigint
  /** Lowest price of a unit of gas, in nAVAX. */
  readonly minPrice: bigint
  /** The excess that multiplies the price by e. */
  readonly excessConversionConstant: bigint
}

/** Gas that can be used now, and the excess that sets the price. */
export interface State {
  readonly capacity: bigint
  readonly excess: bigint
}

/** Nothing of any resource. */
export const NONE: Dimensions = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }

/**
 * The sum of what is used.
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
 * The gas that a complexity costs.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function of(complexity: Dimensions, weights: Dimensions): bigint {
  const cost = (name: keyof Dimensions) => Amount.multiply(complexity[name], weights[name])
  return Amount.sum([cost('bandwidth'), cost('dbRead'), cost('dbWrite'), cost('compute')])
}

/**
 * What gas costs at a price, in nAVAX.
 * @throws TxsError `TXS_OVERFLOW`
 */
export function cost(gas: bigint, pricePerUnit: bigint): bigint {
  return Amount.multiply(gas, pricePerUnit)
}

/**
 * The price of a unit of gas in nAVAX: `minPrice · e^(excess / excessConversionConstant)` in the integer approximation that
 * all nodes compute alike; at most 2^64 − 1.
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
    // One rounding: dividing down by two numbers one after the other is dividing down by their product.
    term = (term * excess) / (constant * i)
  }
  return sum / constant
}

/** The state `seconds` later. */
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
 * The state after a block that used `gas`.
 * @throws TxsError `TXS_CAPACITY`: there is less
 */
export function consume(state: State, gas: bigint): State {
  if (gas > state.capacity) {
    throw new TxsError('TXS_CAPACITY', `expected at most ${state.capacity} gas, got ${gas}`, {
      details: { capacity: state.capacity, gas },
    })
  }
  return { capacity: state.capacity - gas, excess: Amount.saturate(state.excess + gas) }
}

/** `amount` less `by`, at least 0. */
export function reduce(amount: bigint, by: bigint): bigint {
  return amount > by ? amount - by : 0n
}
