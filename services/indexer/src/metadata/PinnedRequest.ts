import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Failure } from './Failure.ts'

const MOST_HEADER_BYTES = 16_384
/** Then the next address is tried; the last one has all the time. */
const ATTEMPT_MS = 1_000

/** A GET to addresses that were checked. */
export interface PinnedRequest {
  readonly url: URL
  /** The only addresses that are connected to, tried in turn. */
  readonly addresses: readonly string[]
  readonly userAgent: string
  readonly ca: string | undefined
}

/**
 * Sends the request on a connection of its own and returns the headers; the body waits. The name of the URL is not looked
 * up: Node's connect is given the addresses in place of an answer. It is still what `host`, SNI and the certificate have.
 * No agent and no proxy has a part in it.
 */
export function requestPinned(
  { url, addresses, userAgent, ca }: PinnedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | { readonly failure: Failure }> {
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all === true) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  }
  const options = {
    method: 'GET',
    agent: false as const,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
    headers: {
      accept: 'application/json, text/*;q=0.9, */*;q=0.1',
      'accept-encoding': 'gzip, br',
      'user-agent': userAgent,
      connection: 'close',
    },
  }
  return new Promise((settle) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) })
        : requestHttp(url, options)
    request.on('response', (response) => {
      // A server that breaks off while nobody reads the body.
      response.on('error', () => {})
      settle(response)
    })
    request.on('error', () => settle({ failure: 'connection' }))
    // A server that switches protocols unasked closes without an error.
    request.on('close', () => settle({ failure: 'connection' }))
    request.end()
  })
}
