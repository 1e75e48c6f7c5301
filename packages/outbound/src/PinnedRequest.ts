import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

const MOST_HEADER_BYTES = 16_384
/** Time in milliseconds after which the next address is tried. The last address gets the remaining time. */
const ATTEMPT_MS = 1_000

/** A request to addresses that have been checked. */
export interface PinnedRequest {
  readonly url: URL
  /** The addresses that the request may connect to, in the order in which they are tried. */
  readonly addresses: readonly string[]
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Certificates to trust instead of those included in Node, in PEM. */
  readonly ca: string | undefined
}

/** The reason why there is no response. */
export interface NoConnection {
  readonly failure: 'connection'
}

/**
 * Sends the request on a new connection and returns the headers; the body is read later. The host name in the
 * URL is not resolved again: the given addresses are used instead. The `host` header, SNI and certificate
 * checks still use the name. No agent or proxy is involved, and redirects are not followed.
 *
 * @example
 * ```ts
 * import { PinnedRequest } from '@firn/outbound'
 *
 * const url = new URL('https://example.com/')
 * const request = { url, addresses: ['93.184.215.14'], method: 'GET', headers: {}, ca: undefined } as const
 * const response = await PinnedRequest.send(request, AbortSignal.timeout(5_000))
 * if (!('failure' in response)) response.destroy()
 * ```
 */
export function send(
  { url, addresses, method, headers, body, ca }: PinnedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | NoConnection> {
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all === true) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  }
  const options = {
    method,
    agent: false as const,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(body.length) }),
      connection: 'close',
    },
  }
  return new Promise((settle) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) })
        : requestHttp(url, options)
    request.on('response', (response) => {
      // Without this listener, a connection that breaks while nobody reads the body would end the process.
      response.on('error', () => {})
      settle(response)
    })
    request.on('error', () => settle({ failure: 'connection' }))
    // If a server switches protocols without being asked to, Node closes the connection without an error.
    request.on('close', () => settle({ failure: 'connection' }))
    request.end(body)
  })
}
