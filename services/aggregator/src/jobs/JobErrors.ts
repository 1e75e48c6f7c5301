import { AggregatorError } from '../errors/AggregatorError.ts'

/** Time after which a caller should try again if there are too many jobs, in seconds. */
const RETRY_AFTER_SECONDS = 5

/** The reason to stop a job without an end, because another process continues it, or this one closes. */
export class Abandoned extends AggregatorError {
  constructor() {
    super('AGGREGATOR_CLOSING', 'the service is stopping')
  }
}

/** Returns the error of a request that arrives while the service stops. */
export function stopping(): AggregatorError {
  return new AggregatorError('AGGREGATOR_CLOSING', 'the service is stopping')
}

/** Returns the error of a job that takes too long. */
export function tooLate(timeoutMs: number): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_TIMEOUT',
    `no result within the job time-out of ${timeoutMs / 1_000} s`,
  )
}

/** Returns the error of a request that is one too many for this service. */
export function full(what: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_JOBS_FULL', `${what}; try again later`, {
    details: { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  })
}

/** Returns the error of a request that is one too many for its caller. */
export function limited(message: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_RATE_LIMIT', message, {
    details: { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  })
}

/** Returns the error for a job that does not exist, or belongs to another caller. */
export function unknown(): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_JOB_UNKNOWN',
    'jobId: no job with this id; finished jobs are deleted after a while',
    { details: { field: 'jobId' } },
  )
}
