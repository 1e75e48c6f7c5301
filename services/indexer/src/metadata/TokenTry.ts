import type { PublicFetch } from '@firn/http'
import type { Clock } from '@firn/runtime'
import type { DueToken } from '@firn/store'
import type { Failure } from './Failure.ts'
import { createHosts } from './Hosts.ts'
import * as Metadata from './Metadata.ts'
import type { Result } from './Outcome.ts'
import * as TokenUri from './TokenUri.ts'
import type { UriAnswer } from './TokenUriReader.ts'

/** Options of {@link createTokenTry}. */
export interface TryOptions {
  readonly fetch: PublicFetch.PublicFetch
  readonly gateways: TokenUri.Gateways
  readonly clock: Clock
  /** Maximum number of concurrent requests to one host. `perGateway` is the maximum for one gateway. */
  readonly perHost: number
  readonly perGateway: number
}

/**
 * Returns the metadata of a token, given its contract's answer, or the reason why there is none. Rejects when
 * aborted.
 */
export type TokenTry = (token: DueToken, answer: UriAnswer, signal: AbortSignal) => Promise<Result>

const THROTTLED_MS = 60_000
/** Failures that count against the host. */
const OF_HOST: ReadonlySet<Failure> = new Set(['timeout', 'connection', 'name-not-found'])

/**
 * Creates a function that fetches token metadata and remembers which hosts are failing or throttling.
 * @throws IndexerError `INDEXER_CONFIGURATION` if a gateway is not a URL
 */
export function createTokenTry({ fetch, clock, perHost, perGateway, ...options }: TryOptions): TokenTry {
  const gateways = TokenUri.gatewaysOf(options.gateways)
  const hosts = createHosts(clock)

  const fetchInTurn = async (url: URL, gateway: string | undefined, signal: AbortSignal) => {
    const turn = await hosts.enter(url.host, gateway === undefined ? perHost : perGateway)
    if ('until' in turn) return turn
    let leave = () => turn.answered()
    try {
      const fetched = await fetch(url, gateway, signal)
      if ('failure' in fetched) {
        const { failure, retryAfterSeconds } = fetched
        if (failure === 'throttled')
          leave = () =>
            turn.throttled(retryAfterSeconds === undefined ? THROTTLED_MS : retryAfterSeconds * 1_000)
        // Failures do not count against a gateway, because it may search for missing content until the timeout.
        else if (gateway === undefined && OF_HOST.has(failure)) leave = () => turn.failed(failure)
      }
      return fetched
    } finally {
      leave()
    }
  }

  return async ({ kind, tokenId, attempts }, answer, signal) => {
    if (typeof answer !== 'string') return { failure: answer.error === 'reverted' ? 'no-token' : 'no-answer' }
    const ofUri = kind === 1155 ? (uri: string) => TokenUri.substituteId(uri, tokenId) : undefined
    const location = TokenUri.locate(ofUri?.(answer) ?? answer, gateways, attempts)
    if ('failure' in location) return location
    const document =
      'bytes' in location ? location : await fetchInTurn(location.url, location.gateway, signal)
    return 'failure' in document ? document : Metadata.parse(document.bytes, document.contentType, ofUri)
  }
}
