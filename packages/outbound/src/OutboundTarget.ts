import { isIP } from 'node:net'

/** The URLs that a service may call on behalf of others. */
export interface TargetPolicy {
  /** Returns all addresses of a host name. Host names are not resolved in any other way. */
  readonly resolve: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>
  readonly isPublic: (address: string) => boolean
  /** Whether `http:` is allowed in addition to `https:`. */
  readonly plainHttp: boolean
  /** The allowed ports; undefined if all are. */
  readonly ports: readonly number[] | undefined
  /**
   * Returns whether the operator allows an address inside its own network. Such addresses may be called without TLS and on
   * any port. By default, none is allowed.
   */
  readonly isInside?: ((address: string) => boolean) | undefined
}

/** Reason why a URL must not be called. */
export type TargetFailure =
  | 'uri-scheme'
  | 'uri-credentials'
  | 'uri-port'
  | 'uri-address'
  | 'name-not-found'
  | 'timeout'

/** Maximum number of addresses that are tried for a host name. A host name may have thousands of addresses. */
const MOST_TRIED = 4

/**
 * Returns why a URL is refused whatever its host name resolves to: its scheme, credentials, port, or an inside address.
 * Returns undefined if {@link check} could allow it.
 *
 * @example
 * ```ts
 * import { OutboundTarget, PublicAddress } from '@firn/outbound'
 *
 * const policy = { isPublic: PublicAddress.isPublic, plainHttp: false, ports: [443] }
 * OutboundTarget.refuse(new URL('https://10.0.0.1/'), policy) // 'uri-address'
 * OutboundTarget.refuse(new URL('https://example.com/'), policy) // undefined
 * ```
 */
export function refuse(url: URL, policy: Omit<TargetPolicy, 'resolve'>): TargetFailure | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'uri-scheme'
  if (url.username !== '' || url.password !== '') return 'uri-credentials'
  const host = hostOf(url)
  if (isIP(host) !== 0) return judge(url, [host], policy)
  // The addresses of the name decide whether the restrictions of URLs outside apply.
  return policy.isInside === undefined ? judge(url, [], policy) : undefined
}

/** Returns why a URL with the given addresses is refused. */
function judge(
  { protocol, port }: URL,
  addresses: readonly string[],
  { isInside, isPublic, plainHttp, ports }: Omit<TargetPolicy, 'resolve'>,
): TargetFailure | undefined {
  if (isInside !== undefined && addresses.length > 0 && addresses.every(isInside)) return undefined
  if (protocol === 'http:' && !plainHttp) return 'uri-scheme'
  if (ports !== undefined && !ports.includes(port === '' ? (DEFAULT_PORT[protocol] ?? 0) : Number(port)))
    return 'uri-port'
  return addresses.every(isPublic) ? undefined : 'uri-address'
}

const DEFAULT_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

/**
 * Returns the addresses to which a request to a URL may connect, or the reason why the URL is not allowed: its scheme,
 * port and credentials, and every address of its host name, are checked. The request must use these addresses, because
 * another look-up could return others.
 *
 * @example
 * ```ts
 * import { HostAddresses, OutboundTarget, PublicAddress } from '@firn/outbound'
 *
 * const { isPublic } = PublicAddress
 * const policy = { resolve: HostAddresses.resolve, isPublic, plainHttp: false, ports: [443] }
 * const checked = await OutboundTarget.check(new URL('https://example.com/'), policy, AbortSignal.timeout(5_000))
 * console.log('failure' in checked ? checked.failure : checked.addresses)
 * ```
 */
export async function check(
  url: URL,
  policy: TargetPolicy,
  signal: AbortSignal,
): Promise<{ readonly addresses: readonly string[] } | { readonly failure: TargetFailure }> {
  const failure = refuse(url, policy)
  if (failure !== undefined) return { failure }
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await policy.resolve(host, signal).catch(() => [])
  if (signal.aborted) return { failure: 'timeout' }
  if (addresses.length === 0) return { failure: 'name-not-found' }
  const refusal = judge(url, addresses, policy)
  return refusal === undefined ? { addresses: addresses.slice(0, MOST_TRIED) } : { failure: refusal }
}

/** Returns the host name of a URL, without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')
