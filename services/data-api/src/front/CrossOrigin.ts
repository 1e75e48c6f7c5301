import type { FastifyInstance } from 'fastify'

/** Request headers that scripts from other origins may send. */
const ALLOWED = ['content-type', 'if-none-match', 'last-event-id', 'x-data-api-key', 'x-glacier-api-key']

/** Response headers that scripts from other origins may read. */
export const EXPOSED = [
  'etag',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-compute-units',
  'x-firn-block-time',
  'x-firn-height',
  'x-request-id',
] as const

/** CORS headers of every response. */
export const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
} as const

/**
 * Allows browsers to call from any origin. This is safe because keys are sent in a header and never in a
 * cookie.
 */
export function addCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      return done()
    }
    reply.header('access-control-allow-methods', 'GET, HEAD, POST').header('access-control-max-age', '86400')
    reply.header('access-control-allow-headers', ALLOWED.join(', ')).code(204).send()
  })
}
