/**
 * The JSON-RPC server of an Avalanche node, based on node:http. The methods of its APIs read from the
 * ledger's store.
 *
 * @packageDocumentation
 */
export * as Addresses from './Addresses.ts'
export { type Aliases, createAliases, type NamedChain } from './Aliases.ts'
export { type AnswerCache, createAnswerCache } from './AnswerCache.ts'
export * as Apis from './Apis.ts'
export * as Admin from './admin/Admin.ts'
export { Profiler } from './admin/Profiler.ts'
export * as CallerLimits from './CallerLimits.ts'
export * as Chains from './Chains.ts'
export type { Freshness, FreshnessTable, NodeContext, ValidatorView } from './Context.ts'
export * as IndexState from './containers/IndexState.ts'
export type { Endpoint, Upgrade } from './Exchange.ts'
export * as Exchange from './Exchange.ts'
export { type Check, createHealth, type Health } from './Health.ts'
export * as HealthEndpoints from './HealthEndpoints.ts'
export * as HttpRules from './HttpRules.ts'
export type { PublicIdentity } from './info/Info.ts'
export * as Info from './info/Info.ts'
export * as NodeVersion from './info/NodeVersion.ts'
export type { PrimaryValidator } from './info/PrimaryNetwork.ts'
export {
  createIssuer,
  type FollowingIssuer,
  type IssuedStatus,
  type Issuer,
} from './issue/Issuer.ts'
export type { IssuerOptions } from './issue/IssuerOptions.ts'
export * as Refusals from './issue/Refusals.ts'
export * as LandingEndpoint from './LandingEndpoint.ts'
export { createLedgerClients, type LedgerClients, type LedgerClientsOptions } from './LedgerClients.ts'
export { createListener, type Listener, type ListenerOptions } from './Listener.ts'
export { LEVELS, type Level, type LoggerLevels, type Loggers } from './Loggers.ts'
export { isNodeError, NodeError, type NodeErrorCode } from './NodeError.ts'
export * as OpenRpcEndpoint from './OpenRpcEndpoint.ts'
export * as Peers from './peers/Peers.ts'
export * as ValidatorSets from './platform/ValidatorSets.ts'
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
export * as Units from './Units.ts'
export {
  createUpstream,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamHealth,
} from './Upstream.ts'
export { createVms, type Vms } from './vms/Vms.ts'
