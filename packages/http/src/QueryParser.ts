import { parse as parseQuery } from 'node:querystring'

/** Number of parameters after which the rest of a query is ignored. */
const MOST_PARAMETERS = 1_000

/**
 * Parses a query as an object without a prototype. Repeated parameters become lists. Parameters after the first 1,000 are
 * ignored. Never throws.
 *
 * It replaces fastify's parser, whose object can become so slow to fill that a URL of 16 kB costs 10 ms.
 * @example
 * ```ts
 * import { QueryParser } from '@firn/http'
 * import fastify from 'fastify'
 *
 * QueryParser.parse('a=1&b=2&b=3') // { a: '1', b: ['2', '3'] }
 * fastify({ routerOptions: { querystringParser: QueryParser.parse } })
 * ```
 */
export function parse(text: string): Record<string, string | string[]> {
  return parseQuery(text, '&', '=', { maxKeys: MOST_PARAMETERS }) as Record<string, string | string[]>
}
