import type { DueImage, Image } from '@firn/evm-store'
import type { Failure } from '../metadata/Failure.ts'
import { createHostFetch, type HostFetchOptions } from '../metadata/HostFetch.ts'
import * as TokenUri from '../metadata/TokenUri.ts'
import { type ImageFailure, read } from './read.ts'

/** Result of one attempt to copy an image. */
export type ImageResult =
  | Image
  | {
      readonly failure: Failure | ImageFailure
      readonly retryAfterSeconds?: number
      /** End of the host's pause in milliseconds since the Unix epoch, if no request was made because of the pause. */
      readonly until?: number
    }

/** Options of {@link createImageTry}. */
export interface ImageTryOptions extends HostFetchOptions {
  readonly gateways: TokenUri.Gateways
}

/**
 * Creates a function that returns the image of a token, or the reason why there is none. Images come from a server, a
 * gateway, or the `data:` URI itself. The function rejects when aborted.
 * @throws IndexerError `INDEXER_CONFIGURATION` if a gateway is not a URL
 */
export function createImageTry(options: ImageTryOptions) {
  const gateways = TokenUri.gatewaysOf(options.gateways)
  const fetchInTurn = createHostFetch(options)
  return async ({ uri, attempts }: DueImage, signal: AbortSignal): Promise<ImageResult> => {
    const location = TokenUri.locate(uri, gateways, attempts)
    if ('failure' in location) return location
    const file = 'bytes' in location ? location : await fetchInTurn(location.url, location.gateway, signal)
    return 'failure' in file ? file : read(file.bytes)
  }
}
