import { LocalCaller, TrustedProxies } from '@firn/http'
import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../Configuration.ts'
import { GO_PATH } from '../routes/goAggregate.ts'
import type { ApiKeys } from './ApiKeys.ts'

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
    !TrustedProxies.isAny(trusted) &&
    LocalCaller.isLocal(request) &&
    hasAccess(request)
}
