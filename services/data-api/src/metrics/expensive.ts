import { Hex } from '@firn/codec'
import type { ConcurrencyLimit } from '../front/ConcurrencyLimit.ts'
import type { Endpoint } from '../front/Endpoint.ts'

type Call = Parameters<Endpoint['handle']>[0]

/**
 * Returns an endpoint whose expensive calls take a place of a limit, so that they can't take the database away from all others. Equal
 * calls at the same time share one answer.
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

/** Equal for calls with equal parameters, however they are spelt. */
function keyOf({ path }: Endpoint, call: Call): string {
  return JSON.stringify([path, call.path, call.query], (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    return value instanceof Uint8Array ? Hex.encode(value) : value
  })
}
