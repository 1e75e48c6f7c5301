/**
 * JSON-RPC 2.0 as a node speaks it: the method tables of all APIs and a typed client.
 */
export { AdminMethods, LOG_LEVELS, type LoggerLevels, type LogLevel } from './AdminMethods.ts'
export { AvaxMethods } from './AvaxMethods.ts'
export { AvmMethods } from './AvmMethods.ts'
export { type CallOptions, type Client, type ClientOptions, createClient } from './Client.ts'
export { HealthCheck, HealthMethods, HealthReport } from './HealthMethods.ts'
export { IndexedContainer, IndexMethods } from './IndexMethods.ts'
export { InfoMethods, type Peer } from './InfoMethods.ts'
export type { MethodTable, Params, Result } from './MethodTable.ts'
export { PlatformMethods } from './PlatformMethods.ts'
export { ProposerVmMethods } from './ProposerVmMethods.ts'
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails } from './RpcError.ts'
export * as Schema from './Schema.ts'
export {
  createUpstreams,
  type Endpoint,
  type EndpointHealth,
  isTransient,
  type Upstreams,
  type UpstreamsClock,
  type UpstreamsOptions,
} from './Upstreams.ts'
export { GetUtxos, IssueTx, PlatformUtxoMethods, UtxoId, UtxoIndex } from './UtxoMethods.ts'
export { WalletMethods } from './WalletMethods.ts'
