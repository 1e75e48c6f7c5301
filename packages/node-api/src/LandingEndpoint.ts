import { Console, type LandingPage } from '@firn/operate'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'

/**
 * Returns the endpoint of `/` and of the console's assets, which sends the console or the landing page for GET and
 * HEAD, and the node's 404 for other methods. `Console.isPath` tells its paths.
 * @example
 * ```ts
 * import type { LandingPage } from '@firn/operate'
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
      const path = exchange.request.url?.split('?')[0] ?? '/'
      void Console.answer({ path, headers }, page)
        .then(({ status, headers: sent, body }) =>
          Exchange.send(exchange, status, Object.entries(sent).flat(), body),
        )
        // For example, the files of the console cannot be read now.
        .catch((error: unknown) => Exchange.fail(exchange, error))
    },
  }
}
