import type { IncomingMessage } from 'node:http'

/** Bytes of an unread body that are received and dropped before the connection is closed. */
const MOST_BYTES = 33_554_432

/**
 * Receives and drops the rest of a request's body, if there is one. It is for requests that are answered before their body
 * has been read: if the connection were closed, a client that is still sending would lose the answer. The connection of
 * a client that goes on for more than 32 MiB is closed.
 * @example
 * ```ts
 * import { UnreadBody } from '@firn/http'
 * import { createServer } from 'node:http'
 *
 * createServer((request, response) => {
 *   UnreadBody.discard(request)
 *   response.writeHead(429).end()
 * })
 * ```
 */
export function discard(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed) return
  let left = MOST_BYTES
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  // From here on, a client may close its connection: that is not an error.
  request.on('error', () => {})
}
