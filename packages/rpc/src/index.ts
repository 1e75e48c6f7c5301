/** JSON-RPC 2.0 as used by a node: the method tables of avalanchego's APIs and a typed client. */
export { isActing } from './Acting.ts'
export type { Answer as CallAnswer, Answers, AskOptions, Call, Subscriber } from './Asker.ts'
export { type CallOptions, type Client, type ClientOptions, createClient } from './Client.ts'
export { type Connection, type ConnectionOptions, connect } from './Connection.ts'
export { type Endpoint, resolve, type Target } from './Endpoint.ts'
export {
  classify,
  classifyStatus,
  type FailureClass,
  mayHaveRun,
  POLICIES,
  type Policy,
  parseRetryAfter,
} from './Failure.ts'
export { exchange, type HttpAnswer, type HttpRequest, type Limits } from './HttpExchange.ts'
export { isObject } from './internal/composites.ts'
export {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  GetUtxos,
  HealthCheck,
  HealthMethods,
  HealthReport,
  IndexedContainer,
  IndexMethods,
  InfoMethods,
  IssueTx,
  type LoggerLevels,
  type Peer,
  PlatformMethods,
  PlatformUtxoMethods,
  ProposerVmMethods,
  UtxoId,
  UtxoIndex,
  WalletMethods,
} from './Methods.ts'
export type { ClientTable, MethodTable, Params, Result } from './MethodTable.ts'
export { LOG_LEVELS, type LogLevel } from './methods/AdminMethods.ts'
export { type Observation, type Observe, type Outgoing, observed } from './Observation.ts'
export {
  type AttemptOptions,
  createPool,
  type Health,
  MAX_RETRY_AFTER_MS,
  type Member,
  type Pool,
  type PoolOptions,
} from './Pool.ts'
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails } from './RpcError.ts'
export { readBytes } from './readBytes.ts'
export * as Schema from './Schema.ts'
export {
  createUpstreams,
  isTransient,
  type Upstreams,
  type UpstreamsOptions,
} from './Upstreams.ts'
