/**
 * The JSON-RPC interfaces of a node, served from the ledger.
 *
 * @packageDocumentation
 */
export { createLoggers, type NodeLoggers } from './admin/PinoLoggers.ts'
export * as Help from './configuration/Help.ts'
export * as Layers from './configuration/Layers.ts'
export { create as createConfiguration } from './configuration/Layers.ts'
export type { Configuration } from './configuration/Options.ts'
export * as NodeDatabase from './Database.ts'
export * as ConfiguredIdentity from './identity/ConfiguredIdentity.ts'
export * as OwnIdentity from './identity/OwnIdentity.ts'
export { main } from './Main.ts'
export { createNode, HTTP_FLAGS, type Node, type NodeOptions } from './Node.ts'
export * as ConfiguredPeers from './peers/ConfiguredPeers.ts'
export type { OwnPeers } from './peers/OwnPeers.ts'
export { openLoggers, openService, type Service, type ServiceOptions } from './Service.ts'
export { VERSION } from './Version.ts'
