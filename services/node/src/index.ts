/**
 * The JSON-RPC interfaces of a node, served from the ledger.
 *
 * @packageDocumentation
 */
export * as Addresses from './Addresses.ts'
export { type Aliases, createAliases, type NamedChain } from './Aliases.ts'
export type { Freshness, FreshnessTable, Logger, NodeContext, ValidatorView } from './Context.ts'
export type { Endpoint, Exchange, Upgrade } from './Exchange.ts'
export type { Level, LoggerLevels, Loggers } from './Loggers.ts'
export { isNodeError, NodeError, type NodeErrorCode } from './NodeError.ts'
export { createRoutes, type Route, type Routes } from './Routes.ts'
export type { Upstream, UpstreamAnswer, UpstreamCall } from './Upstream.ts'
