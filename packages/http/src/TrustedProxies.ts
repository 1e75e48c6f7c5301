import { HttpError } from './HttpError.ts'
import type * as IpAddress from './IpAddress.ts'
import * as IpNetworks from './IpNetworks.ts'

/** Options that every service has: `--proxies <count>` or `--trusted-proxies <cidr,…>`. */
export interface Options {
  /**
   * Number of proxies through which every request passes; 0 by default. Each proxy appends the address of its
   * caller to `x-forwarded-for`.
   */
  readonly proxies?: number | undefined
  /** Addresses (`10.0.0.7`) and networks (`10.0.0.0/8`, `fd00::/8`) of the proxies; none by default. */
  readonly trustedProxies?: readonly string[] | undefined
}

/** The proxies that are trusted to report a caller's address. */
export type TrustedProxies =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'networks'; readonly has: (address: IpAddress.IpAddress) => boolean }

/** No trusted proxies: the peer of the connection is the caller. */
export const NONE: TrustedProxies = { kind: 'count', count: 0 }

/**
 * Returns the trusted proxies that the options describe.
 * @throws HttpError `HTTP_CONFIGURATION`: both options are given, the count is not a whole number of at least 0, or an
 * entry is neither an address nor a network
 * @example
 * ```ts
 * import { TrustedProxies } from '@firn/http'
 *
 * const behindOneProxy = TrustedProxies.create({ proxies: 1 })
 * const inPrivateNetworks = TrustedProxies.create({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'] })
 * ```
 */
export function create({ proxies = 0, trustedProxies = [] }: Options): TrustedProxies {
  if (!Number.isSafeInteger(proxies) || proxies < 0) {
    throw refused(`--proxies: expected a whole number of at least 0, got ${proxies}`)
  }
  if (trustedProxies.length === 0) return { kind: 'count', count: proxies }
  if (proxies > 0) throw refused('--proxies and --trusted-proxies cannot be combined. Pass only one of them.')
  return { kind: 'networks', has: IpNetworks.create('--trusted-proxies', trustedProxies) }
}

/**
 * Returns whether any proxy is trusted at all.
 *
 * @example
 * ```ts
 * import { TrustedProxies } from '@firn/http'
 *
 * TrustedProxies.isAny(TrustedProxies.create({})) // false
 * TrustedProxies.isAny(TrustedProxies.create({ proxies: 1 })) // true
 * ```
 */
export function isAny(trusted: TrustedProxies): boolean {
  return trusted.kind === 'networks' || trusted.count > 0
}

function refused(message: string): HttpError {
  return new HttpError('HTTP_CONFIGURATION', message)
}
