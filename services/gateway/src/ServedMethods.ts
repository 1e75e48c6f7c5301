import type { Costs } from './MethodCosts.ts'

/** What usage calls a method that it doesn't know. */
const UNKNOWN = 'unknown'
/** Names that are counted beside those of the costs: names cost rows, and anybody can make them up. */
const MOST = 100

/** The names by which methods are counted: those that the costs name, and the first others that a node answered. */
export function createServedMethods(costs: Costs): (method: string, status: number) => string {
  const served = new Set<string>()
  return (method, status) => {
    if (costs.isNamed(method) || served.has(method)) return method
    if (status !== 200 || served.size >= MOST) return UNKNOWN
    served.add(method)
    return method
  }
}
