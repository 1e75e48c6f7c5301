import { isIP } from 'node:net'

/** An IP address. An IPv4-mapped IPv6 address is represented as an IPv4 address. */
export interface IpAddress {
  readonly family: 'ipv4' | 'ipv6'
  /**
   * The address as text. IPv4 is written as four decimal numbers. IPv6 is written as eight groups in
   * lowercase, without leading zeros and without `::`.
   */
  readonly text: string
}

const GROUPS = 8
/**
 * Number of 16-bit groups in the network part (/64) of an IPv6 address. All addresses of a /64 usually have
 * the same owner.
 */
const NETWORK_GROUPS = 4
/** Number of 16-bit groups in a /48, the largest network that one customer of a provider usually gets. */
const SITE_GROUPS = 3
/** Number of times by which the limit of a whole /48 exceeds the limit of a /64. */
export const SITE_FACTOR = 16

/** A name under which an address is limited. */
export interface LimitKey {
  readonly key: string
  /** Multiple of the limit of one address that applies to this name. */
  readonly factor: number
}

/** All names under which a caller is limited; the first is the caller's own. */
export type LimitKeys = readonly [LimitKey, ...LimitKey[]]

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/

/**
 * Parses an IP address in the form that sockets or proxies use. An IPv6 zone and a port are dropped. Returns
 * undefined for any other text.
 *
 * @example
 * ```ts
 * import { IpAddress } from '@firn/http'
 *
 * IpAddress.parse('[2001:db8::1]:443') // { family: 'ipv6', text: '2001:db8:0:0:0:0:0:1' }
 * IpAddress.parse('::ffff:1.2.3.4') // { family: 'ipv4', text: '1.2.3.4' }
 * IpAddress.parse('unknown') // undefined
 * ```
 */
export function parse(text: string): IpAddress | undefined {
  const trimmed = text.trim()
  const bare = IPV4_WITH_PORT.exec(trimmed)?.[1] ?? BRACKETED.exec(trimmed)?.[1] ?? trimmed
  const plain = bare.replace(/%.*$/, '')
  const version = isIP(plain)
  if (version === 4) return { family: 'ipv4', text: plain }
  if (version !== 6) return undefined
  const groups = parseGroups(plain)
  const mapped = ipv4In(groups)
  if (mapped !== undefined) return { family: 'ipv4', text: mapped }
  return { family: 'ipv6', text: groups.map((group) => group.toString(16)).join(':') }
}

/**
 * Returns the key under which an address is rate-limited: an IPv4 address itself, the /64 of an IPv6 address,
 * or `unknown` for undefined.
 *
 * @example
 * ```ts
 * import { IpAddress } from '@firn/http'
 *
 * IpAddress.toLimitKey(IpAddress.parse('2001:db8::1')) // '2001:db8:0:0::/64'
 * ```
 */
export function toLimitKey(address: IpAddress | undefined): string {
  if (address === undefined) return 'unknown'
  if (address.family === 'ipv4') return address.text
  return networkOf(address, NETWORK_GROUPS)
}

/**
 * Returns all names under which an address is limited. The first is {@link toLimitKey}. An IPv6 address is also limited
 * with its whole /48, whose limit is {@link SITE_FACTOR} times as large, because its owner can choose among 65,536
 * networks.
 *
 * @example
 * ```ts
 * import { IpAddress } from '@firn/http'
 *
 * IpAddress.toLimitKeys(IpAddress.parse('1.2.3.4')) // [{ key: '1.2.3.4', factor: 1 }]
 * IpAddress.toLimitKeys(IpAddress.parse('2001:db8::1')).map(({ key }) => key)
 * // ['2001:db8:0:0::/64', '2001:db8:0::/48']
 * ```
 */
export function toLimitKeys(address: IpAddress | undefined): LimitKeys {
  const own: LimitKey = { key: toLimitKey(address), factor: 1 }
  if (address?.family !== 'ipv6') return [own]
  return [own, { key: networkOf(address, SITE_GROUPS), factor: SITE_FACTOR }]
}

/** Returns the network of an IPv6 address that has the given number of 16-bit groups, such as `2001:db8:0::/48`. */
function networkOf({ text }: IpAddress, groups: number): string {
  return `${text.split(':').slice(0, groups).join(':')}::/${groups * 16}`
}

/**
 * Returns whether the address is a loopback address, from which only processes on the same machine can
 * connect.
 *
 * @example
 * ```ts
 * import { IpAddress } from '@firn/http'
 *
 * IpAddress.isLoopback(IpAddress.parse('::1')) // true
 * IpAddress.isLoopback(IpAddress.parse('10.0.0.1')) // false
 * ```
 */
export function isLoopback(address: IpAddress | undefined): boolean {
  if (address === undefined) return false
  return address.family === 'ipv4' ? address.text.startsWith('127.') : address.text === '0:0:0:0:0:0:0:1'
}

/** Returns the eight 16-bit groups of an IPv6 address. `isIP` must accept the address. */
function parseGroups(address: string): readonly number[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [toGroups(head), toGroups(tail ?? '')]
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}

function toGroups(part: string): readonly number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** Returns the IPv4 address that an address in `::ffff:0:0/96` contains; undefined for other addresses. */
function ipv4In(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}
