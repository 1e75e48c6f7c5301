import { ClientAddress, IpNetworks, LocalCaller, OperatorSocket, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration/Configuration.ts'
import type { ApiKeys } from './ApiKeys.ts'

/** Path of the route of the Go signature-aggregator. */
export const GO_PATH = '/aggregate-signatures'

/**
 * Returns a function that tells whether a request has no rate limit:
 *
 * - on the operator socket, to which only the user of the service can connect
 * - from an address of `--unlimited-callers`
 * - with an API key, from a program on this machine to the Go service's route, unless a limit is configured: the Go
 * service has none
 *
 * The address 127.0.0.1 alone is not enough, because a proxy on this machine may have forwarded the request without
 * saying so. Requests of scripts in a browser, which may be of any website, are always limited.
 */
export function createExemption(
  keys: ApiKeys,
  configuration: Pick<
    Configuration,
    'rateLimitPerMinute' | 'proxies' | 'trustedProxies' | 'unlimitedCallers'
  >,
): (request: FastifyRequest) => boolean {
  const trusted = TrustedProxies.create(configuration)
  const isListed = IpNetworks.create('--unlimited-callers', configuration.unlimitedCallers)
  const isForwarded = ({ headers }: FastifyRequest) => LocalCaller.forwardingHeader(headers) !== undefined
  const isNamed = (request: FastifyRequest) => {
    // Without trusted proxies, nobody knows for whom a proxy has forwarded the request.
    if (!TrustedProxies.isAny(trusted) && isForwarded(request)) return false
    const address = ClientAddress.find(request, trusted)
    return address !== undefined && isListed(address)
  }
  const hasKey = (request: FastifyRequest) => {
    try {
      return keys.identify(request) !== undefined
    } catch {
      return false
    }
  }
  return (request) => {
    if (request.headers.origin !== undefined) return false
    if (OperatorSocket.has(request.socket)) return !isForwarded(request)
    if (isNamed(request)) return true
    return (
      configuration.rateLimitPerMinute === undefined &&
      request.routeOptions.url === GO_PATH &&
      LocalCaller.isLocal(request) &&
      hasKey(request)
    )
  }
}
