/** JSON-RPC 2.0 as used by a node: the method tables of avalanchego's APIs and a typed client. */
export { AdminMethods, LOG_LEVELS, type LoggerLevels, type LogLevel } from './AdminMethods.ts'
export type { Answer as CallAnswer, Answers, AskOptions, Call, Subscriber } from './Asker.ts'
export { AvaxMethods } from './AvaxMethods.ts'
export { AvmMethods } from './AvmMethods.ts'
export { type CallOptions, type Client, type ClientOptions, createClient } from './Client.ts'
export { type Connection, type ConnectionOptions, connect } from './Connection.ts'
export { type Endpoint, resolve, type Target } from './Endpoint.ts'
export {
  classify,
  classifyStatus,
  type FailureClass,
  POLICIES,
  type Policy,
  parseRetryAfter,
} from './Failure.ts'
export { HealthCheck, HealthMethods, HealthReport } from './HealthMethods.ts'
export { exchange, type HttpAnswer, type HttpRequest, type Limits } from './HttpExchange.ts'
export { IndexedContainer, IndexMethods } from './IndexMethods.ts'
export { InfoMethods, type Peer } from './InfoMethods.ts'
export { isObject } from './internal/composites.ts'
export type { MethodTable, Params, Result } from './MethodTable.ts'
export { type Observation, type Observe, observed } from './Observation.ts'
export { PlatformMethods } from './PlatformMethods.ts'
export {
  type AttemptOptions,
  createPool,
  type Health,
  MAX_RETRY_AFTER_MS,
  type Member,
  type Pool,
  type PoolOptions,
} from './Pool.ts'
export { ProposerVmMethods } from './ProposerVmMethods.ts'
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails } from './RpcError.ts'
export { readBytes } from './readBytes.ts'
export * as Schema from './Schema.ts'
export {
  createUpstreams,
  isTransient,
  type Upstreams,
  type UpstreamsOptions,
} from './Upstreams.ts'
export { GetUtxos, IssueTx, PlatformUtxoMethods, UtxoId, UtxoIndex } from './UtxoMethods.ts'
export { WalletMethods } from './WalletMethods.ts'
