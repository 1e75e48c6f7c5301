/**
 * Aggregation of validators' signatures into a signed Warp message, over an abstract transport and clock.
 *
 * @module
 */
export { AggregationError, type AggregationErrorCode } from './AggregationError.ts'
export type { AggregationRequest, KnownRefusal } from './AggregationRequest.ts'
export type { AggregationResult } from './AggregationResult.ts'
export {
  type AggregationPlan,
  type Aggregator,
  type AggregatorDependencies,
  createAggregator,
} from './Aggregator.ts'
export * as BatchCheck from './BatchCheck.ts'
export * as Options from './Options.ts'
export type { Progress, ValidatorProgress } from './Progress.ts'
export * as Prover from './Prover.ts'
export type { Counters, Misconduct, Outcome, Reason, Report, ReportEntry } from './Report.ts'
export * as SignatureCache from './SignatureCache.ts'
export type { Answer, ConnectionState, Transport, TransportRequest } from './Transport.ts'
