import type { FastifyInstance } from 'fastify'

/** A route of a server. */
export interface Route {
  readonly method: string
  /** Path with parameters in braces, as in OpenAPI: `/v1/networks/{network}/subnets`. */
  readonly path: string
}

/**
 * Returns a list of the routes of a fastify server, documented or not. Must be called before routes are
 * added; the list grows with each added route.
 *
 * @example
 * ```ts
 * import { RouteList } from '@firn/http'
 * import fastify from 'fastify'
 *
 * const server = fastify()
 * const routes = RouteList.collect(server)
 * server.get('/things/:thingId', async () => ({}))
 * // routes: GET and HEAD of /things/{thingId}
 * ```
 */
export function collect(server: Pick<FastifyInstance, 'addHook'>): readonly Route[] {
  const routes: Route[] = []
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, path: toTemplate(url) })
  })
  return routes
}

/**
 * Converts a fastify path pattern to an OpenAPI path. A regular expression in parentheses after a parameter is
 * dropped, and `::` becomes a literal colon.
 */
function toTemplate(pattern: string): string {
  return pattern.replace(/::|:(\w+)(?:\([^)]*\))?/g, (whole, name) => (whole === '::' ? ':' : `{${name}}`))
}
