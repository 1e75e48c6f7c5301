/**
 * The JSON-RPC server of an Avalanche node, on node:http: envelope, HTTP rules, routes and their aliases.
 *
 * @packageDocumentation
 */

export type { Endpoint, Upgrade } from './Exchange.ts'
export * as Exchange from './Exchange.ts'
export * as HttpRules from './HttpRules.ts'
export { goQuote } from './internal/goJson.ts'
export * as LandingEndpoint from './LandingEndpoint.ts'
export { createListener, type Listener, type ListenerOptions } from './Listener.ts'
export { createRoutes, type Route, type Routes } from './Routes.ts'
export * as RpcEndpoint from './RpcEndpoint.ts'
export {
  type Answer,
  createService,
  type Handlers,
  type Keep,
  methodError,
  type Remembered,
  type ResultMemory,
  type Service,
  type ServiceOptions,
} from './Service.ts'
