import type { Costs } from './MethodCosts.ts'

/** The name under which usage counts an unknown method. */
const UNKNOWN = 'unknown'
/**
 * Number of names that are counted beyond those of the costs: names cost rows, and callers can invent them.
 */
const MOST = 100

/**
 * Returns the names by which methods are counted: those in the costs, and the first others that a node
 * answered.
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
