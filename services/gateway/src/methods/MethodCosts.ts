import { patternOf } from './MethodPolicy.ts'
import { METHODS } from './Methods.ts'

/** Credits per call, by method name. In a name, `*` matches any characters. */
export type MethodCosts = Readonly<Record<string, number>>

/** Credits of methods that are not in {@link METHODS}. They occur if they are named with `--allow-method`, and in logs. */
const OTHERS: MethodCosts = { '*': 20, 'txpool_*': 200, 'debug_*': 300, 'trace_*': 100 }

/** Default credits. An exact name takes precedence over a pattern, and a longer pattern over a shorter one. */
export const COSTS: MethodCosts = {
  ...OTHERS,
  ...Object.fromEntries(Object.entries(METHODS).map(([name, { credits }]) => [name, credits])),
}

/** Looks up the credits of methods. */
export interface Costs {
  /** Returns the credits of a method, an integer. */
  of(method: string): number
  /** Returns whether the table contains the method by its exact name. */
  isNamed(method: string): boolean
}

/**
 * Creates the lookup from a table of credits. Methods that are not in this table cost as much as in {@link
 * COSTS}.
 */
export function createCosts(costs: MethodCosts = {}): Costs {
  const all = { ...COSTS, ...costs }
  const exact = new Map(Object.entries(all).filter(([name]) => !name.includes('*')))
  const patterns = Object.entries(all)
    .filter(([name]) => name.includes('*'))
    .sort(([one], [other]) => other.length - one.length)
    .map(([name, cost]) => [patternOf(name), cost] as const)
  return {
    of: (method) => exact.get(method) ?? patterns.find(([pattern]) => pattern.test(method))?.[1] ?? 0,
    isNamed: (method) => exact.has(method),
  }
}
