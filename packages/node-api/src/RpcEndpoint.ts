import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'
import type { Answer, Service } from './Service.ts'

const PLAIN: readonly string[] = ['Content-Type', HttpRules.JSON_TYPE]
const INVOKED: readonly string[] = [...PLAIN, 'X-Content-Type-Options', 'nosniff']
const SILENT: readonly string[] = ['X-Content-Type-Options', 'nosniff']

/**
 * Returns an endpoint that forwards JSON-RPC POST requests to a service and rejects other requests as the
 * node does (405, 415).
 * @example
 * ```ts
 * import { createService, RpcEndpoint } from '@firn/node-api'
 * import { PlatformMethods } from '@firn/rpc'
 *
 * const handlers = { 'platform.getHeight': () => ({ height: 85n }) }
 * const endpoint = RpcEndpoint.create(createService(PlatformMethods, handlers))
 * ```
 */
export function create(service: Service): Exchange.Endpoint {
  return {
    methods: service.methods,
    handle(exchange) {
      const { request } = exchange
      const refusal = HttpRules.serviceRefusal(request.method ?? '', request.headers['content-type'])
      if (refusal !== undefined) return Exchange.text(exchange, refusal.status, refusal.body)
      Exchange.readBody(exchange, (body) => {
        const answer = service.handle(body, exchange.budget)
        if (!(answer instanceof Promise)) return send(exchange, answer)
        answer
          .then((later) => send(exchange, later))
          .catch((error: unknown) => Exchange.fail(exchange, error))
      })
    },
  }
}

function send(exchange: Exchange.Exchange, { head, body, invoked, waitMs }: Answer): void {
  if (waitMs !== undefined) Exchange.limit(exchange, waitMs)
  else if (body === undefined) Exchange.send(exchange, 200, invoked ? SILENT : [], '')
  else Exchange.send(exchange, 200, invoked ? INVOKED : PLAIN, body, head)
}
