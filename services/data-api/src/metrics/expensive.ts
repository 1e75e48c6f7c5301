import { Hex } from '@firn/codec'
import type { ConcurrencyLimit } from '../front/ConcurrencyLimit.ts'
import type { Endpoint } from '../front/Endpoint.ts'

type Call = Parameters<Endpoint['handle']>[0]

/**
 * Returns an endpoint whose expensive calls are bounded by a limit, so that they cannot take the database
 * away from all others. Concurrent equal calls share one answer.
 */
export function expensive(
  limit: ConcurrencyLimit,
  endpoint: Endpoint,
  isExpensive: (call: Call) => boolean = () => true,
): Endpoint {
  const { handle, version } = endpoint
  return {
    ...endpoint,
    handle: async (call) => {
      if (!isExpensive(call)) return handle(call)
      return limit.run(`${await version?.(call)} ${keyOf(endpoint, call)}`, () => handle(call))
    },
  }
}

/** Returns a key that is equal for calls with equal parameters, however they are spelled. */
function keyOf({ path }: Endpoint, call: Call): string {
  return JSON.stringify([path, call.path, call.query], (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    return value instanceof Uint8Array ? Hex.encode(value) : value
  })
}
