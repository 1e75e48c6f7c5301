import { BlockList, isIP, isIPv4 } from 'node:net'
import { P2pError } from './P2pError.ts'

/** The address at which a node listens: an IP address (not a host name) and a port. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

const V4_MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] as const

/**
 * Parses an endpoint such as `1.2.3.4:9651` or `[::1]:9651`, the format that nodes use.
 * @throws P2pError `P2P_ARGUMENT`
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.parse('[::1]:9651') // { host: '::1', port: 9651 }
 * ```
 */
export function parse(text: string): Endpoint {
  const colon = text.lastIndexOf(':')
  const bracketed = text.slice(0, Math.max(0, colon))
  const host = bracketed.startsWith('[') && bracketed.endsWith(']') ? bracketed.slice(1, -1) : bracketed
  const digits = text.slice(colon + 1)
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : -1
  if (isIP(host) !== 0 && (host === bracketed) === isIPv4(host) && port >= 0 && port <= 0xffff)
    return { host, port }
  throw new P2pError(
    'P2P_ARGUMENT',
    `endpoint: expected <ip>:<port>, got ${JSON.stringify(text.slice(0, 80))}`,
  )
}

/**
 * Formats an endpoint as `<ip>:<port>`, with brackets around IPv6; the inverse of {@link parse}.
 *
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.format({ host: '::1', port: 9651 }) // '[::1]:9651'
 * ```
 */
export function format(endpoint: Endpoint): string {
  return isIPv4(endpoint.host) ? `${endpoint.host}:${endpoint.port}` : `[${endpoint.host}]:${endpoint.port}`
}

/**
 * Returns the bytes of an IP address: 4 for IPv4 and for IPv4 mapped into IPv6, otherwise 16.
 * @throws P2pError `P2P_IP`
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.addressBytes('::ffff:1.2.3.4') // Uint8Array [1, 2, 3, 4]
 * ```
 */
export function addressBytes(host: string): Uint8Array {
  const kind = isIP(host)
  if (kind === 4) return Uint8Array.from(host.split('.'), Number)
  if (kind !== 6)
    throw new P2pError('P2P_IP', `expected an IP address, got ${JSON.stringify(host.slice(0, 80))}`)
  const [head = '', tail] = withoutDotted(host.split('%')[0] as string).split('::')
  const front = groupsOf(head)
  const back = groupsOf(tail ?? '')
  const zeros = new Array<number>(8 - front.length - back.length).fill(0)
  return normalize(
    Uint8Array.from([...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 0xff])),
  )
}

function withoutDotted(host: string): string {
  const dotted = host.slice(host.lastIndexOf(':') + 1)
  if (!dotted.includes('.')) return host
  const [a, b, c, d] = dotted.split('.').map(Number) as [number, number, number, number]
  return `${host.slice(0, -dotted.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function groupsOf(part: string): readonly number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
}

/**
 * Returns the shortest form of an address: 4 bytes for IPv4 and for IPv4 mapped into IPv6, otherwise 16.
 * @throws P2pError `P2P_IP` if the address does not have 4 or 16 bytes
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.normalize(Endpoint.addressBytes('2001:db8::1')).length // 16
 * ```
 */
export function normalize(address: Uint8Array): Uint8Array {
  if (address.length === 4) return address
  if (address.length !== 16)
    throw new P2pError('P2P_IP', `expected an address of 4 or 16 bytes, got ${address.length}`)
  return V4_MAPPED.every((byte, i) => address[i] === byte) ? address.subarray(12) : address
}

/**
 * Formats an address of 4 or 16 bytes as text.
 * @throws P2pError `P2P_IP`
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.formatAddress(Uint8Array.of(203, 0, 113, 7)) // '203.0.113.7'
 * ```
 */
export function formatAddress(address: Uint8Array): string {
  const bytes = normalize(address)
  if (bytes.length === 4) return bytes.join('.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16)
  const groups = Array.from({ length: 8 }, (_, i) => view.getUint16(2 * i).toString(16))
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

/** Finds the longest run of zero groups, which is written as `::`. Of several longest runs, returns the first. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === '0') end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Returns whether an IP address is a loopback address.
 *
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.isLoopback('127.0.0.1') // true
 * ```
 */
export function isLoopback(host: string): boolean {
  const kind = isIP(host)
  return kind !== 0 && loopback.check(host, kind === 4 ? 'ipv4' : 'ipv6')
}

const privates = new BlockList()
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
] as const) {
  privates.addSubnet(net, prefix)
}
privates.addSubnet('fc00::', 7, 'ipv6')
privates.addSubnet('fe80::', 10, 'ipv6')
privates.addAddress('::', 'ipv6')

/**
 * Returns whether an IP address cannot be reached over the public network: loopback, private, link-local or
 * unspecified.
 *
 * @example
 * ```ts
 * import { Endpoint } from '@firn/p2p'
 *
 * Endpoint.isPrivate('10.0.0.1') // true
 * Endpoint.isPrivate('203.0.113.7') // false
 * ```
 */
export function isPrivate(host: string): boolean {
  const kind = isIP(host)
  return kind !== 0 && (isLoopback(host) || privates.check(host, kind === 4 ? 'ipv4' : 'ipv6'))
}
