import { Json } from '@firn/codec'
import { DataApiError, type DataApiErrorCode } from '../http/endpoint/DataApiError.ts'

/** A request to the signature aggregator. `body` is sent as JSON; if it is undefined, an empty body is sent. */
export interface AggregateRequest {
  readonly body: Json.Json | undefined
  /** Whether to add each validator's result to the answer. Error answers contain the results too. */
  readonly hasReport?: boolean
  /** Whether to add the validator set to the answer. */
  readonly hasProof?: boolean
}

/** The signature aggregator's answer: the signed message and, if requested, the report and the proof. */
export interface AggregateAnswer {
  /** The signed message in hex, without `0x`. */
  readonly signedMessage: string
  readonly report?: Json.Json
  readonly proof?: Json.Json
}

/**
 * Requests an aggregated signature from the signature aggregator.
 * @throws DataApiError with the code for the aggregator's error status; `DATA_UNAVAILABLE` if the aggregator does not
 * respond
 */
export type Aggregate = (request: AggregateRequest, signal: AbortSignal) => Promise<AggregateAnswer>

/** Sends a request, either over HTTP or to a service in the same process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of {@link createAggregatorClient}. */
export interface AggregatorClientOptions {
  /** Base URL of the signature aggregator. Any server with the same route works. */
  readonly url: string
  /** Name of the network in the aggregator's request path. */
  readonly network: string
  readonly fetch?: Fetch | undefined
}

/**
 * Error codes of this service by HTTP status of the aggregator. Every other status becomes `DATA_UNAVAILABLE`.
 */
const CODES: ReadonlyMap<number, DataApiErrorCode> = new Map([
  [400, 'DATA_PARAMETER'],
  [403, 'DATA_SCOPE'],
  [404, 'DATA_NOT_FOUND'],
  [413, 'DATA_BODY_TOO_LARGE'],
  [429, 'DATA_RATE_LIMIT'],
  [500, 'DATA_INTERNAL'],
  [502, 'DATA_UPSTREAM'],
])

/** Creates a client for a signature aggregator. Headers of the caller's request are not forwarded. */
export function createAggregatorClient({
  url,
  network,
  fetch: send = fetch,
}: AggregatorClientOptions): Aggregate {
  const route = `${url.replace(/\/+$/, '')}/v1/signatureAggregator/${network}/aggregateSignatures`
  return async ({ body, hasReport = false, hasProof = false }, signal) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? '' : Json.stringify(body),
      signal,
    }
    const query = `?report=${hasReport}&proof=${hasProof}`
    const response = await orUnavailable(send(route + query, init), signal)
    const answer = parse(await orUnavailable(response.text(), signal))
    const { signedMessage } = answer
    if (response.ok && typeof signedMessage === 'string') return { ...answer, signedMessage }
    throw refusal(response, answer)
  }
}

async function orUnavailable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const problem = signal.aborted ? 'did not respond in time' : 'does not respond'
    throw new DataApiError('DATA_UNAVAILABLE', `the signature aggregator ${problem}; try again later`, {
      cause,
    })
  }
}

type Members = Readonly<Record<string, Json.Json>>

function parse(text: string): Members {
  try {
    const body = Json.parse(text)
    return typeof body === 'object' && body !== null ? (body as Members) : {}
  } catch {
    return {}
  }
}

function refusal({ status, headers }: Response, { message, report }: Members): DataApiError {
  const reason = typeof message === 'string' ? message : `the signature aggregator returned status ${status}`
  const retryAfter = headers.get('retry-after')
  const details = {
    ...(retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }),
    ...(report === undefined ? {} : { report }),
  }
  return new DataApiError(CODES.get(status) ?? 'DATA_UNAVAILABLE', reason, { details })
}
