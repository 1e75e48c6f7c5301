import { Json } from '@firn/codec'
import { HealthMethods, HealthReport } from '@firn/rpc'
import * as Exchange from './Exchange.ts'
import * as Health from './Health.ts'
import type { Routes } from './Routes.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'
import { createService } from './Service.ts'
import * as Units from './Units.ts'

const TYPE: readonly string[] = ['Content-Type', 'application/json']

/**
 * Adds the endpoints under `/ext/health`: JSON-RPC for POST requests, and reports for GET requests.
 * @example
 * ```ts
 * import { createHealth, createRoutes, HealthEndpoints } from '@firn/node-api'
 *
 * const routes = createRoutes()
 * HealthEndpoints.add(routes, createHealth({ checks: [], now: Date.now, timeoutMs: 1_000 }))
 * ```
 */
export function add(routes: Routes, health: Health.Health): void {
  const rpc = RpcEndpoint.create(
    createService(HealthMethods, Health.handlers(health), { units: Units.METHODS }),
  )
  const whole = reporter(health, 'health')
  const either: Exchange.Endpoint = {
    ...rpc,
    handle: (exchange) => (exchange.request.method === 'GET' ? whole : rpc).handle(exchange),
  }
  routes.add('health', '', either)
  routes.add('health', '/health', whole)
  routes.add('health', '/readiness', reporter(health, 'readiness'))
  routes.add('health', '/liveness', reporter(health, 'liveness'))
}

/**
 * Returns an endpoint that sends a report for any HTTP method, with status 503 if the report is unhealthy.
 */
function reporter(health: Health.Health, kind: 'health' | 'readiness' | 'liveness'): Exchange.Endpoint {
  return {
    handle(exchange) {
      // The target of a request may be a whole URL, which may be invalid.
      const [, ...query] = (exchange.request.url ?? '').split('?')
      const report = health.report(kind, new URLSearchParams(query.join('?')).getAll('tag'))
      const body = `${Json.stringify(HealthReport.format(report))}\n`
      Exchange.send(exchange, report.healthy ? 200 : 503, TYPE, body)
    },
  }
}
