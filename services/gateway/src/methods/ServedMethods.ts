import type { Costs } from './MethodCosts.ts'

/** Method name under which unknown methods are counted. */
const UNKNOWN = 'unknown'
/**
 * Maximum number of counted method names that are not in the cost table. Each name needs database rows, and
 * callers can invent names.
 */
const MOST = 100

/**
 * Creates the function that maps a method to its name in the usage statistics. Methods in the cost table keep
 * their names. The same applies to a limited number of other methods that a node has answered.
 */
export function createServedMethods(costs: Costs): (method: string, status: number) => string {
  const served = new Set<string>()
  return (method, status) => {
    if (costs.isNamed(method) || served.has(method)) return method
    if (status !== 200 || served.size >= MOST) return UNKNOWN
    served.add(method)
    return method
  }
}
