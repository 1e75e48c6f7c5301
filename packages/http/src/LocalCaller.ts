import * as ClientAddress from './ClientAddress.ts'
import * as IpAddress from './IpAddress.ts'
import * as TrustedProxies from './TrustedProxies.ts'

/** Headers with which proxies say that they forward a request, and for whom. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * Returns whether a request comes from a program on this machine: its connection comes from a loopback address, and no
 * proxy has forwarded it for another machine. If no proxies are trusted, any header of a proxy counts as such. A proxy
 * on this machine that adds no header cannot be recognized.
 * @example
 * ```ts
 * import { LocalCaller, TrustedProxies } from '@firn/http'
 *
 * const socket = { remoteAddress: '127.0.0.1' }
 * LocalCaller.isLocal({ socket, headers: {} }, TrustedProxies.NONE) // true
 * LocalCaller.isLocal({ socket, headers: { 'x-forwarded-for': '203.0.113.9' } }, TrustedProxies.NONE) // false
 * ```
 */
export function isLocal(request: ClientAddress.Source, trusted: TrustedProxies.TrustedProxies): boolean {
  const { remoteAddress = '' } = request.socket
  if (!IpAddress.isLoopback(IpAddress.parse(remoteAddress))) return false
  if (TrustedProxies.isAny(trusted) && request.headers['x-forwarded-for'] !== undefined) {
    return IpAddress.isLoopback(ClientAddress.find(request, trusted))
  }
  return !Object.keys(request.headers).some((name) => FORWARDING.test(name))
}
