import type { IncomingHttpHeaders } from 'node:http'
import { excerpt } from '@firn/codec'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { GoText } from './GoRequest.ts'

/** Header with the number of milliseconds within which the caller needs a response. */
export const HEADER = 'x-request-timeout-ms'

/**
 * Maximum fraction of a request's time that is reserved for the response, and the maximum in milliseconds. The reserve
 * leaves time to report the reasons of a missed quorum.
 */
const RESERVE = 0.1
const MAX_RESERVE_MS = 1_000

/** The time of one request, in milliseconds from its start. */
export interface Deadline {
  /** Time at which the request is aborted. */
  readonly timeoutMs: number
  /** Time until which signatures are collected, a little before `timeoutMs`. */
  readonly collectMs: number
  /** True if the caller asked for less time than the service grants. */
  readonly isOfCaller: boolean
}

/**
 * Returns the time of a request: the least of the time in {@link HEADER}, the body's `deadlineMs`, and the request
 * time-out of the service.
 * @throws AggregatorError `AGGREGATOR_FIELD` if the header is not a positive integer
 */
export function create(
  headers: IncomingHttpHeaders,
  bodyMs: number | undefined,
  requestTimeoutMs: number,
): Deadline {
  const given = Math.min(parse(headers[HEADER]), bodyMs ?? Number.POSITIVE_INFINITY)
  const timeoutMs = Math.min(given, requestTimeoutMs)
  const reserveMs = Math.min(MAX_RESERVE_MS, timeoutMs * RESERVE)
  return { timeoutMs, collectMs: timeoutMs - reserveMs, isOfCaller: given < requestTimeoutMs }
}

/** Returns the error of a request that has exceeded its time. */
export function exceeded({ timeoutMs, isOfCaller }: Deadline): AggregatorError {
  const limit = isOfCaller
    ? `the requested deadline of ${timeoutMs} ms`
    : `the request time-out of ${timeoutMs / 1_000} s`
  return new AggregatorError('AGGREGATOR_TIMEOUT', `no result within ${limit}`)
}

function parse(value: string | string[] | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY
  const ms = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0
  if (ms > 0) return ms
  throw new AggregatorError(
    'AGGREGATOR_FIELD',
    `${HEADER}: expected a positive integer of milliseconds, got ${excerpt(value)}`,
    { details: { field: HEADER, goText: `Invalid ${HEADER} header` satisfies GoText } },
  )
}
