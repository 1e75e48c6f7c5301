import type { FastifyInstance } from 'fastify'

/** What scripts of other origins may send to a service, and read from it. */
export interface Rules {
  readonly methods: readonly string[]
  readonly requestHeaders: readonly string[]
  readonly responseHeaders: readonly string[]
}

/** Time in seconds for which browsers remember the answer to a preflight request. */
const MAX_AGE_SECONDS = '86400'

/**
 * Returns the CORS headers of every response.
 * @example
 * ```ts
 * import { CrossOrigin } from '@firn/http'
 *
 * const rules = { methods: ['GET'], requestHeaders: [], responseHeaders: ['etag'] }
 * CrossOrigin.headers(rules)['access-control-allow-origin'] // '*'
 * ```
 */
export function headers({ responseHeaders }: Rules): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': responseHeaders.join(', '),
  }
}

/**
 * Allows browsers to call a fastify server from any origin, and answers preflight requests. This is safe for services
 * that take keys from a header and never from a cookie.
 * @example
 * ```ts
 * import { CrossOrigin } from '@firn/http'
 * import fastify from 'fastify'
 *
 * const server = fastify()
 * CrossOrigin.addHook(server, { methods: ['GET'], requestHeaders: ['x-key'], responseHeaders: ['etag'] })
 * ```
 */
export function addHook(server: Pick<FastifyInstance, 'addHook'>, rules: Rules): void {
  const always = headers(rules)
  const preflight = {
    'access-control-allow-methods': rules.methods.join(', '),
    'access-control-allow-headers': rules.requestHeaders.join(', '),
    'access-control-max-age': MAX_AGE_SECONDS,
  }
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(always)
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight) return done()
    reply.headers(preflight).code(204).send()
  })
}
