/**
 * The signature aggregator service: an HTTP interface that collects validators' signatures, as a fastify
 * plugin and as a process.
 *
 * @packageDocumentation
 */
export { AggregatorError, type AggregatorErrorCode } from './AggregatorError.ts'
export { app } from './App.ts'
export type { AppDependencies } from './AppDependencies.ts'
export {
  type Configuration,
  check as checkConfiguration,
  createConfiguration,
} from './Configuration.ts'
export * as Submissions from './fleet/Submissions.ts'
export * as GoJson from './http/GoJson.ts'
export * as GoRequest from './http/GoRequest.ts'
export type { AggregateRequest } from './http/RequestBody.ts'
export * as RequestBody from './http/RequestBody.ts'
export * as Batch from './jobs/Batch.ts'
export * as SourceRequest from './jobs/SourceRequest.ts'
export { COMMAND, main } from './Main.ts'
export { openApiDocument } from './OpenApi.ts'
export { OPTIONS } from './Options.ts'
export type { Ledger, LedgerStatus } from './p-chain/Ledger.ts'
export type { PChain } from './p-chain/PChain.ts'
export { RELAYER_KEYS } from './RelayerKeys.ts'
export { type AggregatorService, createAggregatorService, type ServiceOptions } from './Service.ts'
export type { Signatures, Signed } from './signing/Signatures.ts'
