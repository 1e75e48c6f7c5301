import { LandingPage } from '@firn/http'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'

/**
 * Returns the endpoint of `/`, which sends the landing page for GET and HEAD, and the node's 404 for other
 * methods.
 * @example
 * ```ts
 * import type { LandingPage } from '@firn/http'
 * import { LandingEndpoint } from '@firn/node-api'
 *
 * declare const content: LandingPage.Content
 * const endpoint = LandingEndpoint.create(() => content)
 * ```
 */
export function create(page: () => LandingPage.Content): Exchange.Endpoint {
  return {
    handle(exchange) {
      const { method, headers } = exchange.request
      if (method !== 'GET' && method !== 'HEAD') return Exchange.refuse(exchange, HttpRules.NOT_FOUND)
      const answer = LandingPage.render(page(), headers.accept)
      Exchange.send(exchange, 200, Object.entries(answer.headers).flat(), answer.body)
    },
  }
}
