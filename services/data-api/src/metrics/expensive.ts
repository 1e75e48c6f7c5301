import { Hex } from '@firn/codec'
import type { ConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'

type Call = Parameters<Endpoint['handle']>[0]

/**
 * Returns the endpoint with a limit on concurrent expensive calls. The limit keeps database connections free
 * for other endpoints. Concurrent calls with equal parameters share one answer.
 */
export function expensive(limit: ConcurrencyLimit, endpoint: Endpoint): Endpoint {
  const { handle, version } = endpoint
  return {
    ...endpoint,
    handle: async (call) =>
      limit.run(`${await version?.(call)} ${keyOf(endpoint, call)}`, () => handle(call)),
  }
}

/**
 * Returns a key for the parsed parameters of a call. Different spellings of the same values have the same
 * key.
 */
function keyOf({ path }: Endpoint, call: Call): string {
  return JSON.stringify([path, call.path, call.query, String(call.mostRows)], (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    return value instanceof Uint8Array ? Hex.encode(value) : value
  })
}
