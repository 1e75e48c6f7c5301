import * as Amount from '../avax/Amount.ts'
import { TxsError } from '../TxsError.ts'

/**
 * A transaction's use of each resource (ACP-103): bytes, database reads, database writes, and microseconds of
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
  /** Maximum gas capacity, which limits the gas of a block. */
  readonly maxCapacity: bigint
  /** Gas added to the capacity per second. */
  readonly maxPerSecond: bigint
  /** Gas per second at which the price stays constant. */
  readonly targetPerSecond: bigint
  /** Minimum price in nAVAX per unit of gas. */
  readonly minPrice: bigint
  /** Increase of the excess that multiplies the price by e. */
  readonly excessConversionConstant: bigint
}

/** The gas capacity available now, and the excess gas that determines the price. */
export interface State {
  readonly capacity: bigint
  readonly excess: bigint
}

/** Zero in every dimension. */
export const NONE: Dimensions = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }

/**
 * Returns the sum of complexities in each dimension.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * const output = { bandwidth: 80n, dbRead: 0n, dbWrite: 1n, compute: 0n }
 * Gas.add(output, output).bandwidth // 160n
 * ```
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
 * Returns the gas for a complexity.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * const complexity = { bandwidth: 400n, dbRead: 2n, dbWrite: 3n, compute: 200n }
 * const weights = { bandwidth: 1n, dbRead: 1000n, dbWrite: 1000n, compute: 4n }
 * Gas.of(complexity, weights) // 6200n
 * ```
 * @throws TxsError `TXS_OVERFLOW`
 */
export function of(complexity: Dimensions, weights: Dimensions): bigint {
  const cost = (name: keyof Dimensions) => Amount.multiply(complexity[name], weights[name])
  return Amount.sum([cost('bandwidth'), cost('dbRead'), cost('dbWrite'), cost('compute')])
}

/**
 * Returns the cost of gas at a price, in nAVAX.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * Gas.cost(6_200n, 2n) // 12400n
 * ```
 * @throws TxsError `TXS_OVERFLOW`
 */
export function cost(gas: bigint, pricePerUnit: bigint): bigint {
  return Amount.multiply(gas, pricePerUnit)
}

/**
 * Returns the price per unit of gas in nAVAX: `minPrice · e^(excess / excessConversionConstant)`, at most
 * 2^64 − 1. Uses the same integer approximation as the node.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * Gas.price({ minPrice: 1n, excess: 5_000_000n, excessConversionConstant: 2_164_043n }) // 10n
 * ```
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
    // Rounding once is enough: integer division by two numbers in succession equals division by their
    // product.
    term = (term * excess) / (constant * i)
  }
  return sum / constant
}

/**
 * Returns the gas state after `seconds` without any block.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * const config = { maxCapacity: 1_000_000n, maxPerSecond: 100_000n, targetPerSecond: 50_000n }
 * Gas.advanceTime({ capacity: 200_000n, excess: 300_000n }, config, 2n)
 * // { capacity: 400000n, excess: 200000n }
 * ```
 */
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
 * Returns the gas state after a block that used `gas`.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * Gas.consume({ capacity: 400_000n, excess: 200_000n }, 6_200n) // { capacity: 393800n, excess: 206200n }
 * ```
 * @throws TxsError `TXS_CAPACITY` if less gas is available
 */
export function consume(state: State, gas: bigint): State {
  if (gas > state.capacity) {
    throw new TxsError(
      'TXS_CAPACITY',
      `the block needs ${gas} gas, but only ${state.capacity} is available`,
      {
        details: { capacity: state.capacity, gas },
      },
    )
  }
  return { capacity: state.capacity - gas, excess: Amount.saturate(state.excess + gas) }
}

/**
 * Returns `amount` minus `by`, at least 0.
 * @example
 * ```ts
 * import { Gas } from '@firn/txs'
 *
 * Gas.reduce(5n, 7n) // 0n
 * ```
 */
export function reduce(amount: bigint, by: bigint): bigint {
  return amount > by ? amount - by : 0n
}
