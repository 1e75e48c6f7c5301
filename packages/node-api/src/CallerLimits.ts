import type { IncomingMessage } from 'node:http'
import { ClientAddress, HttpError, IpAddress, RateLimiter, Refusals, type TrustedProxies } from '@firn/http'
import type * as HttpRules from './HttpRules.ts'

/** What one caller may still use. */
export interface Budget {
  /** Takes units and returns 0. If not enough are left, takes nothing and returns the milliseconds until they are. */
  take(units: number): number
  /** Takes units even if not enough are left. */
  charge(units: number): void
}

/** Limits callers by their address. */
export interface CallerLimits {
  /**
   * Returns the budget of a request's caller, or a refusal if the request did not pass all proxies. A probe need not
   * pass them.
   */
  find(request: IncomingMessage, isProbe: boolean): Budget | HttpRules.Refusal
}

/** A budget without a limit. */
export const UNLIMITED: Budget = { take: () => 0, charge: () => undefined }

/** Limits nobody. */
export const NONE: CallerLimits = { find: () => UNLIMITED }

/** Options of {@link create}. */
export interface CallerLimitsOptions {
  /** Units per second and at once; undefined to limit nobody. */
  readonly rate: RateLimiter.Rate | undefined
  readonly trusted: TrustedProxies.TrustedProxies
  /** Returns the current time in milliseconds since any moment. */
  readonly now: () => number
}

/**
 * Creates the limits of a node API: a rate of units for each address.
 * @example
 * ```ts
 * import { TrustedProxies } from '@firn/http'
 * import { CallerLimits } from '@firn/node-api'
 *
 * const limits = CallerLimits.create({
 *   rate: { perSecond: 10_000, burst: 100_000 },
 *   trusted: TrustedProxies.create({ proxies: 0, trustedProxies: [] }),
 *   now: () => performance.now(),
 * })
 * ```
 */
export function create({ rate, trusted, now }: CallerLimitsOptions): CallerLimits {
  const limiter = RateLimiter.create({ now })
  const budgetOf = (address: IpAddress.IpAddress | undefined): Budget => {
    if (rate === undefined) return UNLIMITED
    const keys = IpAddress.toLimitKeys(address)
    return {
      take(units) {
        if (units <= 0) return 0
        const waitMs = limiter.take(keys, units, rate)
        if (waitMs > 0) Refusals.publish({ service: 'node', caller: keys[0].key, limit: 'units' })
        return waitMs
      },
      charge: (units) => limiter.charge(keys, units, rate),
    }
  }
  return {
    find(request, isProbe) {
      try {
        return budgetOf(ClientAddress.find(request, trusted))
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        if (isProbe) return budgetOf(IpAddress.parse(request.socket.remoteAddress ?? ''))
        return { status: 400, body: `${error.message}\n` }
      }
    },
  }
}
