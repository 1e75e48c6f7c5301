import type { DueToken } from '@firn/evm-store'
import { createHostFetch, type HostFetchOptions } from './HostFetch.ts'
import * as Metadata from './Metadata.ts'
import type { Result } from './Outcome.ts'
import * as TokenUri from './TokenUri.ts'
import type { UriAnswer } from './TokenUriReader.ts'

/** Options of {@link createTokenTry}. */
export interface TryOptions extends HostFetchOptions {
  readonly gateways: TokenUri.Gateways
}

/**
 * Returns the metadata of a token, given its contract's answer, or the reason why there is none. Rejects when
 * aborted.
 */
export type TokenTry = (token: DueToken, answer: UriAnswer, signal: AbortSignal) => Promise<Result>

/**
 * Creates a function that fetches token metadata and remembers which hosts are failing or throttling.
 * @throws IndexerError `INDEXER_CONFIGURATION` if a gateway is not a URL
 */
export function createTokenTry(options: TryOptions): TokenTry {
  const gateways = TokenUri.gatewaysOf(options.gateways)
  const fetchInTurn = createHostFetch(options)

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
