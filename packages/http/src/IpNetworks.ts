import { BlockList, isIP } from 'node:net'
import { HttpError } from './HttpError.ts'
import * as IpAddress from './IpAddress.ts'

/**
 * Returns a function that tells whether an address is one of the given addresses (`10.0.0.7`) or in one of the given
 * networks (`10.0.0.0/8`, `fd00::/8`). `flag` is the option that lists them, for errors.
 * @throws HttpError `HTTP_CONFIGURATION` if an entry is neither an address nor a network
 * @example
 * ```ts
 * import { IpAddress, IpNetworks } from '@firn/http'
 *
 * const isInside = IpNetworks.create('--webhook-networks', ['10.0.0.0/8'])
 * const address = IpAddress.parse('10.1.2.3')
 * console.log(address !== undefined && isInside(address)) // true
 * ```
 */
export function create(flag: string, texts: readonly string[]): (address: IpAddress.IpAddress) => boolean {
  const list = new BlockList()
  for (const text of texts) {
    const { address, prefix } = parse(flag, text)
    list.addSubnet(address.text, prefix, address.family)
  }
  return ({ text, family }) => list.check(text, family)
}

const BITS = { ipv4: 32, ipv6: 128 } as const
/** Length of the prefix `::ffff:0:0/96` of mapped IPv4 addresses. */
const MAPPED_BITS = 96

function parse(flag: string, text: string) {
  const [, name = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const address = isIP(name) === 0 ? undefined : IpAddress.parse(name)
  if (address === undefined) throw notNetwork(flag, text)
  const skipped = address.family === 'ipv4' && isIP(name) === 6 ? MAPPED_BITS : 0
  const most = BITS[address.family]
  const prefix = length === undefined ? most : Number(length) - skipped
  if (prefix < 0 || prefix > most) throw notNetwork(flag, text)
  return { address, prefix }
}

function notNetwork(flag: string, text: string): HttpError {
  return new HttpError(
    'HTTP_CONFIGURATION',
    `${flag}: expected addresses or networks such as 10.0.0.7 or fd00::/8, got ${JSON.stringify(text.slice(0, 80))}`,
  )
}
