import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from './HttpError.ts'
import * as IpAddress from './IpAddress.ts'
import * as OperatorSocket from './OperatorSocket.ts'
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
 * Returns the address of a request's caller; undefined on Unix sockets and after the caller has disconnected.
 *
 * Each proxy appends the address that connected to it to `x-forwarded-for`. The header is therefore read from
 * its right end, and only the part that trusted proxies wrote. The caller may have forged everything further
 * left.
 *
 * - With a count of n, the n-th address from the right is the caller. A request whose header has fewer entries did not
 * pass all proxies, and an entry that is no address identifies nobody. Both are refused: the peer, or another entry,
 * would be somebody else.
 * - With networks, the rightmost address that is not a trusted proxy is the caller. The socket's peer counts
 * as the last address of the list. If an entry is not an address, the trusted proxy that wrote the entry is the caller.
 *
 * @throws HttpError `HTTP_FORWARDED` with a count of proxies; respond with status 400
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
  // Operators on this machine connect to the socket without passing the proxies.
  if (OperatorSocket.has(socket)) return undefined
  const peer = socket.remoteAddress === undefined ? undefined : IpAddress.parse(socket.remoteAddress)
  // A header that does not count may have a megabyte, and is not even looked at.
  if (trusted.kind === 'count' ? trusted.count === 0 : peer === undefined || !trusted.has(peer)) return peer
  const header = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const reported = header.trim() === '' ? [] : header.split(',')
  if (trusted.kind === 'networks') return findByNetworks(peer, reported, trusted.has)
  return findByCount(reported, trusted.count)
}

/** Longest part of an entry that an error repeats. */
const SHOWN = 60

function findByCount(reported: readonly string[], count: number): IpAddress.IpAddress {
  const entry = reported.at(-count)
  if (entry === undefined) {
    throw new HttpError(
      'HTTP_FORWARDED',
      `x-forwarded-for: expected ${entries(count)}, one from each proxy of --proxies, got ${reported.length}; send the request through the proxies, or correct --proxies`,
    )
  }
  const address = IpAddress.parse(entry)
  if (address !== undefined) return address
  throw new HttpError(
    'HTTP_FORWARDED',
    `x-forwarded-for: expected an IP address as entry ${count} from the right, got ${JSON.stringify(entry.trim().slice(0, SHOWN))}; let the proxy send the address of its caller`,
  )
}

function entries(count: number): string {
  return count === 1 ? 'at least 1 entry' : `at least ${count} entries`
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
