import type * as ClientAddress from './ClientAddress.ts'
import * as IpAddress from './IpAddress.ts'

/** Headers with which proxies, load balancers and content delivery networks say that they forward a request. */
const FORWARDING_NAMES: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-forwarded', 'client-ip', 'x-host', 'x-iinfo', 'x-ms-proxy', 'x-scheme'],
  ...[
    'x-url-scheme',
    'x-rewrite-url',
    'x-varnish',
    'z-forwarded-for',
    'incap-client-ip',
    'wl-proxy-client-ip',
  ],
])

/** First parts of the names of such headers. */
const FORWARDING_PREFIXES: readonly string[] = [
  ...['forwarded-', 'x-forwarded-', 'x-forward-', 'x-original-', 'x-originating-', 'x-real-', 'x-remote-'],
  ...['x-client-', 'x-cluster-', 'x-proxy-', 'x-proxyuser-', 'x-true-', 'true-client-', 'proxy-', 'via-'],
  ...['akamai-', 'ali-cdn-', 'cdn-', 'cf-', 'cloudfront-', 'fastly-', 'fly-', 'x-akamai-', 'x-amz-cf-'],
  ...['x-amzn-', 'x-appengine-', 'x-arr-', 'x-azure-', 'x-cdn-', 'x-cloud-', 'x-edge-', 'x-envoy-'],
  ...['x-fastly-', 'x-google-', 'x-haproxy-', 'x-nf-', 'x-ssl-', 'x-sucuri-', 'x-traefik-', 'x-vercel-'],
  ...['disguised-', 'ssl-client-', 'tailscale-', 'x-nginx-', 'x-ngrok-', 'x-replaced-'],
]

/**
 * Returns the header with which a proxy says that it forwards the request; undefined if there is none. Names of headers
 * must be in lower case, as Node has them.
 * @example
 * ```ts
 * import { LocalCaller } from '@firn/http'
 *
 * LocalCaller.forwardingHeader({ host: 'localhost', 'cf-ray': '8c' }) // 'cf-ray'
 * ```
 */
export function forwardingHeader(headers: ClientAddress.Source['headers']): string | undefined {
  return Object.keys(headers).find(
    (name) => FORWARDING_NAMES.has(name) || FORWARDING_PREFIXES.some((prefix) => name.startsWith(prefix)),
  )
}

/**
 * Returns whether a request may come from a program on this machine: its connection comes from a loopback address, and
 * it has no header of a proxy. This is no credential: a proxy on this machine that adds no header, such as nginx in its
 * shortest configuration, forwards requests of other machines that look the same.
 * @example
 * ```ts
 * import { LocalCaller } from '@firn/http'
 *
 * const socket = { remoteAddress: '127.0.0.1' }
 * LocalCaller.isLocal({ socket, headers: {} }) // true
 * LocalCaller.isLocal({ socket, headers: { 'x-forwarded-for': '203.0.113.9' } }) // false
 * ```
 */
export function isLocal({ socket, headers }: ClientAddress.Source): boolean {
  const peer = IpAddress.parse(socket.remoteAddress ?? '')
  return IpAddress.isLoopback(peer) && forwardingHeader(headers) === undefined
}
