import type { IncomingHttpHeaders } from 'node:http'
import * as IpAddress from './IpAddress.ts'
import type { TrustedProxies } from './TrustedProxies.ts'

/**
 * The parts of a request that determine the caller's address. Raw requests of Node and fastify have these
 * parts.
 */
export interface Source {
  /**
   * Socket of the request. `remoteAddress` is undefined on Unix sockets, and after the caller has
   * disconnected.
   */
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: Pick<IncomingHttpHeaders, never> & Readonly<Record<string, string | string[] | undefined>>
}

/**
 * Returns the address of a request's caller, or undefined if no trustworthy hop reported a valid address.
 *
 * Each proxy appends the address that connected to it to `x-forwarded-for`. The header is therefore read from
 * its right end, and only the part that trusted proxies wrote. The caller may have forged everything further
 * left.
 *
 * - With a count of n, the n-th address from the right is the caller. If the header has fewer addresses, the
 * request did not pass all proxies, and the socket's peer is the caller.
 * - With networks, the rightmost address that is not a trusted proxy is the caller. The socket's peer counts
 * as the last address of the list.
 * - If the entry at that position is not an address, the trusted proxy that wrote the entry is the caller.
 *
 * @example
 * ```ts
 * import { ClientAddress, IpAddress, TrustedProxies } from '@firn/http'
 *
 * const trusted = TrustedProxies.create({ trustedProxies: ['10.0.0.0/8'] })
 * const request = {
 *   socket: { remoteAddress: '10.0.0.7' },
 *   headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.8' },
 * }
 * IpAddress.toLimitKey(ClientAddress.find(request, trusted)) // '203.0.113.9'
 * ```
 */
export function find({ socket, headers }: Source, trusted: TrustedProxies): IpAddress.IpAddress | undefined {
  const peer = socket.remoteAddress === undefined ? undefined : IpAddress.parse(socket.remoteAddress)
  const header = headers['x-forwarded-for']
  if (header === undefined) return peer
  const reported = [header].flat().join(',').split(',')
  return trusted.kind === 'count'
    ? findByCount(peer, reported, trusted.count)
    : findByNetworks(peer, reported, trusted.has)
}

function findByCount(
  peer: IpAddress.IpAddress | undefined,
  reported: readonly string[],
  count: number,
): IpAddress.IpAddress | undefined {
  if (count > reported.length) return peer
  const hops = count === 0 ? [] : reported.slice(-count)
  return hops.map(IpAddress.parse).find((address) => address !== undefined) ?? peer
}

function findByNetworks(
  peer: IpAddress.IpAddress | undefined,
  reported: readonly string[],
  isTrusted: (address: IpAddress.IpAddress) => boolean,
): IpAddress.IpAddress | undefined {
  let found = peer
  for (let i = reported.length - 1; i >= 0; i--) {
    if (found === undefined || !isTrusted(found)) return found
    const next = IpAddress.parse(reported[i] ?? '')
    if (next === undefined) return found
    found = next
  }
  return found
}
