/** A JSON-RPC client for browsers: the method tables of a node's APIs, and typed calls and batches over `fetch`. */
export { AdminMethods } from './AdminMethods.ts'
export type { AskOptions } from './Asker.ts'
export { AvaxMethods } from './AvaxMethods.ts'
export { AvmMethods } from './AvmMethods.ts'
export type { CallArguments, Client } from './Client.ts'
export { classify, type FailureClass } from './Failure.ts'
export { HealthMethods } from './HealthMethods.ts'
export {
  type BatchCall,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type Outcome,
  type Outcomes,
} from './HttpClient.ts'
export { IndexMethods } from './IndexMethods.ts'
export { InfoMethods } from './InfoMethods.ts'
export type { MethodTable, Params, Result } from './MethodTable.ts'
export { PlatformChainMethods } from './PlatformChainMethods.ts'
export { PlatformFeeMethods } from './PlatformFeeMethods.ts'
export { PlatformMethods } from './PlatformMethods.ts'
export { PlatformStakingMethods } from './PlatformStakingMethods.ts'
export { ProposerVmMethods } from './ProposerVmMethods.ts'
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails } from './RpcError.ts'
export { PlatformUtxoMethods } from './UtxoMethods.ts'
export { WalletMethods } from './WalletMethods.ts'
