import { ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../Configuration.ts'
import type { ApiKeys } from './ApiKeys.ts'

/** Returns the name under which a caller's requests are limited. */
export type CallerName = (request: FastifyRequest) => string

/**
 * Returns a function that names callers. Requests with a valid API key share one name per key, and all others share one
 * name per address.
 */
export function createCallerName(
  keys: ApiKeys,
  configuration: Pick<Configuration, 'proxies' | 'trustedProxies'>,
): CallerName {
  const trusted = TrustedProxies.create(configuration)
  return (request) => {
    const address = () => IpAddress.toLimitKey(ClientAddress.find(request, trusted))
    try {
      return keys.identify(request) ?? address()
    } catch {
      return address()
    }
  }
}
