import { type ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../Configuration.ts'
import { GO_PATH } from '../routes/goAggregate.ts'
import type { ApiKeys } from './ApiKeys.ts'

/** Headers with which proxies say that they forward a request, and for whom. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * Returns a function that tells which requests have no rate limit unless one is configured: those of programs on this
 * machine to the Go service's route, because the Go service has no limit. Guesses of API keys are limited.
 */
export function createExemption(
  keys: ApiKeys,
  configuration: Pick<Configuration, 'rateLimitPerMinute' | 'proxies' | 'trustedProxies'>,
): (request: FastifyRequest) => boolean {
  const trusted = TrustedProxies.create(configuration)
  const hasAccess = (request: FastifyRequest) => {
    try {
      keys.identify(request)
      return true
    } catch {
      return false
    }
  }
  return (request) =>
    configuration.rateLimitPerMinute === undefined &&
    request.routeOptions.url === GO_PATH &&
    // Browsers name the origin of a script, which may be any website.
    request.headers.origin === undefined &&
    isLocal(request, trusted) &&
    hasAccess(request)
}

/**
 * Returns whether a request certainly comes from a program on this machine: its connection comes from a loopback
 * address, no proxies are configured, and no header says that a proxy has forwarded it.
 */
function isLocal(request: ClientAddress.Source, trusted: TrustedProxies.TrustedProxies): boolean {
  const { remoteAddress = '' } = request.socket
  return (
    !TrustedProxies.isAny(trusted) &&
    IpAddress.isLoopback(IpAddress.parse(remoteAddress)) &&
    !Object.keys(request.headers).some((name) => FORWARDING.test(name))
  )
}
