/** A JSON-RPC client for browsers: the method tables of a node's APIs, and typed calls and batches over `fetch`. */
export type { AskOptions } from './Asker.ts'
export type { CallArguments, Client } from './Client.ts'
export { classify, type FailureClass, mayHaveRun } from './Failure.ts'
export {
  type BatchCall,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type Outcome,
  type Outcomes,
} from './HttpClient.ts'
export type { ClientTable, Params, Result } from './MethodTable.ts'
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorDetails } from './RpcError.ts'
export {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  HealthMethods,
  IndexMethods,
  InfoMethods,
  PlatformChainMethods,
  PlatformFeeMethods,
  PlatformMethods,
  PlatformStakingMethods,
  PlatformUtxoMethods,
  ProposerVmMethods,
  WalletMethods,
} from './TextMethods.ts'
export { createValidatorSource, type ValidatorSource } from './ValidatorSource.ts'
