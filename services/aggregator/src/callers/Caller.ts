import { ClientAddress, IpAddress, RateLimiter, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration/Configuration.ts'
import type { ApiKeys } from './ApiKeys.ts'

/** Returns the keys under which a caller's requests are limited. The first is the caller's name. */
export type LimitKeysOf = (request: FastifyRequest) => IpAddress.LimitKeys

/** A caller of the HTTP interface. */
export interface Caller {
  /** Name of the caller's API key; undefined if the service has no keys. */
  readonly key: string | undefined
  /** Name under which the caller is limited: the API key or the address. */
  readonly name: string
}

/**
 * Returns a function that identifies callers. Requests with a valid API key share one name per key, and all others share
 * one name per address; addresses of an IPv6 /48 share a further, larger limit.
 */
export function createLimitKeys(
  keys: ApiKeys,
  configuration: Pick<Configuration, 'proxies' | 'trustedProxies'>,
): LimitKeysOf {
  const trusted = TrustedProxies.create(configuration)
  return (request) => {
    const address = () => IpAddress.toLimitKeys(ClientAddress.find(request, trusted))
    try {
      const key = keys.identify(request)
      return key === undefined ? address() : RateLimiter.named(key)
    } catch {
      return address()
    }
  }
}
