import type { Operators } from '@firn/operate'
import type { Limits } from '../Limits.ts'

/** Returns the data of the gateway for operators. */
export function createParts(limits: Limits): Operators.Parts {
  const { rate, connectionsPerAddress, requestsPerAddress, batchCalls } = limits
  const of = (limit: string, value: number, unit: string) => ({
    ...{ service: 'gateway', callers: 'each address without a bypass token', limit, value, unit },
  })
  const all = [
    ...(rate === undefined
      ? []
      : [of('credits', rate.perSecond, 'per second'), of('credits in a burst', rate.burst, 'at once')]),
    of('connections', connectionsPerAddress, 'at once'),
    of('requests in progress', requestsPerAddress, 'at once'),
    of('calls of a batch', batchCalls, 'per request'),
  ]
  return { limits: () => ({ limits: all, limited: [] }) }
}
