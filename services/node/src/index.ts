/**
 * Serves the JSON-RPC APIs of a node from the indexed ledger.
 *
 * @packageDocumentation
 */
export { createLoggers, type NodeLoggers } from './admin/PinoLoggers.ts'
export {
  type Configuration,
  check as checkConfiguration,
  createConfiguration,
  OPTIONS,
} from './Configuration.ts'
export * as NodeDatabase from './Database.ts'
export * as ConfiguredIdentity from './identity/ConfiguredIdentity.ts'
export * as OwnIdentity from './identity/OwnIdentity.ts'
export { main } from './Main.ts'
export { createNode, HTTP_FLAGS, type Node } from './Node.ts'
export type { NodeOptions } from './NodeOptions.ts'
export * as ConfiguredPeers from './peers/ConfiguredPeers.ts'
export type { OwnPeers } from './peers/OwnPeers.ts'
export { openLoggers, openService, type Service, type ServiceOptions } from './Service.ts'
export { VERSION } from './Version.ts'
