import { StaticFile } from '@firn/http'
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
 * HEAD, and the node's 404 for other methods. The URLs in it begin with the host that the request names. Never throws.
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
  const text = createText(routes, () =>
    JSON.stringify(createOpenRpc({ ...about, url: PLACEHOLDER, isServed })),
  )
  return {
    units: Units.DOCUMENT,
    handle(exchange) {
      const { method, headers } = exchange.request
      if (method !== 'GET' && method !== 'HEAD') return Exchange.refuse(exchange, HttpRules.NOT_FOUND)
      const { file, isKept } = text(originOf(exchange.request))
      // A document that is not kept would be compressed for each request.
      void file
        .answer(isKept ? headers : {})
        .then(({ status, headers: sent, body }) =>
          Exchange.send(exchange, status, Object.entries(sent).flat(), body),
        )
    },
  }
}

/** Stands for the origin in the document that all origins share. */
const PLACEHOLDER = 'http://origin.invalid'
/** Maximum number of origins whose documents are kept. Callers choose the origin. */
const MAX_ORIGINS = 8

/** Returns a function that returns the document for an origin. It is created again when the routes change. */
function createText(routes: Routes, render: () => string) {
  const files = new Map<string, StaticFile.StaticFile>()
  let [version, template]: [unknown, string] = [undefined, '']
  return (origin: string) => {
    if (version !== routes.version) {
      files.clear()
      version = routes.version
      template = render()
    }
    const known = files.get(origin)
    if (known !== undefined) return { file: known, isKept: true }
    const file = StaticFile.create(HttpRules.JSON_TYPE, `${template.replaceAll(PLACEHOLDER, origin)}\n`)
    const isKept = files.size < MAX_ORIGINS
    if (isKept) files.set(origin, file)
    return { file, isKept }
  }
}

function originOf({ headers, socket }: Exchange.Exchange['request']): string {
  const host = headers.host ?? headers[':authority']
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  const url = `${scheme}://${host}`
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost'
}
