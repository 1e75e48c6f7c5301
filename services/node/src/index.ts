/**
 * The JSON-RPC interfaces of a node, served from the ledger.
 *
 * @packageDocumentation
 */
export * as Addresses from './Addresses.ts'
export { type Aliases, createAliases, type NamedChain } from './Aliases.ts'
export { createLoggers, type NodeLoggers } from './admin/PinoLoggers.ts'
export type { Freshness, FreshnessTable, Logger, NodeContext, ValidatorView } from './Context.ts'
export * as Help from './configuration/Help.ts'
export * as Layers from './configuration/Layers.ts'
export { create as createConfiguration } from './configuration/Layers.ts'
export type { Configuration } from './configuration/Options.ts'
export * as NodeDatabase from './Database.ts'
export type { Check } from './Health.ts'
export * as ConfiguredIdentity from './identity/ConfiguredIdentity.ts'
export * as OwnIdentity from './identity/OwnIdentity.ts'
export type { Level, LoggerLevels, Loggers } from './Loggers.ts'
export { main } from './Main.ts'
export { createNode, HTTP_FLAGS, type Node, type NodeOptions } from './Node.ts'
export { isNodeError, NodeError, type NodeErrorCode } from './NodeError.ts'
export * as ConfiguredPeers from './peers/ConfiguredPeers.ts'
export type { OwnPeers } from './peers/OwnPeers.ts'
export * as Peers from './peers/Peers.ts'
export { openLoggers, openService, type Service, type ServiceOptions } from './Service.ts'
export type { Upstream, UpstreamAnswer, UpstreamCall } from './Upstream.ts'
export { VERSION } from './Version.ts'
