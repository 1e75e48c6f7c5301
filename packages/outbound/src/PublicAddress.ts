import { BlockList, isIP } from 'node:net'

/**
 * IPv4 ranges without public Internet servers. They are the ranges of IANA's IPv4 special-purpose registry
 * (RFC 6890 and later), including those with an exception for a single protocol, and also multicast (RFC
 * 5771) and class E.
 */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8], // addresses of "this network" (RFC 791)
  ['10.0.0.0', 8], // private networks
  ['100.64.0.0', 10], // shared addresses (carrier-grade NAT)
  ['127.0.0.0', 8], // loopback addresses
  ['169.254.0.0', 16], // link-local addresses, including cloud metadata services
  ['172.16.0.0', 12], // private networks
  ['192.0.0.0', 24], // IETF protocol assignments
  ['192.0.2.0', 24], // addresses for documentation
  ['192.31.196.0', 24], // AS112 servers
  ['192.52.193.0', 24], // AMT relays
  ['192.88.99.0', 24], // 6to4 relays, including 6a44
  ['192.168.0.0', 16], // private networks
  ['192.175.48.0', 24], // AS112 servers
  ['198.18.0.0', 15], // networks for benchmarks
  ['198.51.100.0', 24], // addresses for documentation
  ['203.0.113.0', 24], // addresses for documentation
  ['224.0.0.0', 4], // multicast addresses
  ['240.0.0.0', 4], // reserved addresses and the broadcast address
] as const

/**
 * Ranges of 2000::/3 without public servers, from IANA's IPv6 special-purpose registry. Teredo and 6to4 are
 * included because their addresses embed an IPv4 address that would not be checked.
 */
const SPECIAL_IPV6 = [
  ['2001::', 23], // IETF protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drone remote identification
  ['2001:db8::', 32], // addresses for documentation
  ['2002::', 16], // 6to4 addresses
  ['2620:4f:8000::', 48], // AS112 servers
  ['3fff::', 20], // addresses for documentation
] as const

/** NAT64 prefix (RFC 6052). The last four bytes of such an IPv6 address are an IPv4 address. */
const NAT64 = '64:ff9b::'
const NAT64_BITS = 96

const special = new BlockList()
const global6 = new BlockList()
// IANA allocates only addresses in 2000::/3 to networks.
global6.addSubnet('2000::', 3, 'ipv6')
global6.addSubnet(NAT64, NAT64_BITS, 'ipv6')
for (const [network, bits] of SPECIAL_IPV6) special.addSubnet(network, bits, 'ipv6')
for (const [network, bits] of SPECIAL_IPV4) {
  special.addSubnet(network, bits, 'ipv4')
  special.addSubnet(`${NAT64}${network}`, NAT64_BITS + bits, 'ipv6')
}

/**
 * Returns whether the text is an IPv4 or IPv6 address of the public Internet. Such an address has no zone, is
 * not special-purpose, and embeds no special-purpose address. Returns false if the text is not an address.
 *
 * @example
 * ```ts
 * import { PublicAddress } from '@firn/outbound'
 *
 * PublicAddress.isPublic('169.254.169.254') // false
 * ```
 */
export function isPublic(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return (
    version === 6 &&
    !address.includes('%') &&
    global6.check(address, 'ipv6') &&
    !special.check(address, 'ipv6')
  )
}
