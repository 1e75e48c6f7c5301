/**
 * The signature aggregator service: an HTTP interface that collects validators' signatures, as a fastify
 * plugin and as a process.
 *
 * @packageDocumentation
 */
export {
  type Configuration,
  check as checkConfiguration,
  createConfiguration,
} from './configuration/Configuration.ts'
export { OPTIONS } from './configuration/Options.ts'
export { RELAYER_KEYS } from './configuration/RelayerKeys.ts'
export { AggregatorError, type AggregatorErrorCode } from './errors/AggregatorError.ts'
export { app } from './http/App.ts'
export type { AppDependencies } from './http/AppDependencies.ts'
export * as GoRequest from './http/GoRequest.ts'
export * as Batch from './jobs/Batch.ts'
export * as SourceRequest from './jobs/SourceRequest.ts'
export * as RequestBody from './json/RequestBody.ts'
export { COMMAND, main } from './Main.ts'
export { openApiDocument } from './OpenApi.ts'
export type { Ledger, LedgerStatus } from './p-chain/Ledger.ts'
export type { PChain } from './p-chain/PChain.ts'
export { type AggregatorService, createAggregatorService, type ServiceOptions } from './Service.ts'
export * as Submissions from './shared-log/Submissions.ts'
export type { AggregateRequest } from './signing/AggregateRequest.ts'
export type { Signatures, Signed } from './signing/Signatures.ts'
