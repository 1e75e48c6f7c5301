import { createOpenRpc } from '@firn/rpc/openrpc'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'
import type { Routes } from './Routes.ts'
import * as Units from './Units.ts'

/** Title and version of the server in the document. */
export interface About {
  readonly title: string
  readonly version: string
}

/**
 * Returns the endpoint of `/openrpc.json`, which sends the OpenRPC document of the methods with routes for GET and
 * HEAD, and the node's 404 for other methods. The URLs in it begin with the host that the request names.
 * @example
 * ```ts
 * import { createRoutes, OpenRpcEndpoint } from '@firn/node-api'
 *
 * const endpoint = OpenRpcEndpoint.create(createRoutes(), { title: 'My node', version: '1.0.0' })
 * ```
 */
export function create(routes: Routes, about: About): Exchange.Endpoint {
  const isServed = (path: string, method: string) =>
    routes.find(path)?.endpoint.methods?.includes(method) === true
  let last = { key: '', body: '' }
  return {
    units: Units.DOCUMENT,
    handle(exchange) {
      const { method } = exchange.request
      if (method !== 'GET' && method !== 'HEAD') return Exchange.refuse(exchange, HttpRules.NOT_FOUND)
      const url = originOf(exchange.request)
      const key = `${routes.version} ${url}`
      if (last.key !== key)
        last = { key, body: `${JSON.stringify(createOpenRpc({ ...about, url, isServed }))}\n` }
      Exchange.send(
        exchange,
        200,
        ['Content-Type', HttpRules.JSON_TYPE, 'Cache-Control', 'no-cache'],
        last.body,
      )
    },
  }
}

function originOf({ headers, socket }: Exchange.Exchange['request']): string {
  const host = headers.host ?? headers[':authority']
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  const url = `${scheme}://${host}`
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost'
}
