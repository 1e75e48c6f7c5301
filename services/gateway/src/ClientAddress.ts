import { isIP } from 'node:net'

/** Of addresses that can't be told. */
const UNKNOWN = 'unknown'
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** Of an IPv6 address, groups of its network: whoever has one address has all of a /64. */
const NETWORK_GROUPS = 4
const GROUPS = 8

/**
 * The name by which an address is limited: IPv4 as it is, IPv6 by its /64.
 *
 * @param forwarded `x-forwarded-for`
 * @param proxies how many proxies are in front, each of which adds to it whom it was asked by; what is left of theirs anybody could
 * have written
 */
export function addressKey(peer: string | undefined, forwarded: string | undefined, proxies: number): string {
  if (proxies === 0 || forwarded === undefined) return keyOf(peer ?? '')
  const told = forwarded.split(',')
  return keyOf((told[Math.max(0, told.length - proxies)] ?? '').trim())
}

function keyOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(MAPPED, '$1')
  const version = isIP(plain)
  if (version === 4) return plain
  return version === 6 ? `${groupsOf(plain).slice(0, NETWORK_GROUPS).join(':')}::/64` : UNKNOWN
}

/** The groups of an IPv6 address, each without zeros before it. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const split = (part: string) =>
    part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
  const [before, after] = [split(head), split(tail ?? '')]
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}
