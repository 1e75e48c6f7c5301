import { Json } from '@firn/codec'
import { DataApiError, type DataApiErrorCode } from './DataApiError.ts'

/** A request to the signature aggregator, in the form of its own interface. */
export interface AggregateRequest {
  readonly body: Json.Json | undefined
  /** Adds the outcome for every validator, to refusals too. */
  readonly hasReport?: boolean
  /** Adds the validator set. */
  readonly hasProof?: boolean
}

/** A signed message, and the requested additions. */
export interface AggregateAnswer {
  /** Hex without 0x. */
  readonly signedMessage: string
  readonly report?: Json.Json
  readonly proof?: Json.Json
}

/**
 * Asks the signature aggregator to collect signatures.
 * @throws DataApiError with the aggregator's own status; `DATA_UNAVAILABLE` if it does not answer
 */
export type Aggregate = (request: AggregateRequest, signal: AbortSignal) => Promise<AggregateAnswer>

/** Sends a request over HTTP, or to a service in the same process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of {@link createAggregatorClient}. */
export interface AggregatorClientOptions {
  /** The aggregator's root: Firn's, or any with its route. */
  readonly url: string
  /** The network's name in its path. */
  readonly network: string
  readonly fetch?: Fetch | undefined
}

/** The error of each forwarded status; others mean that the aggregator is currently unusable. */
const CODES: ReadonlyMap<number, DataApiErrorCode> = new Map([
  [400, 'DATA_PARAMETER'],
  [403, 'DATA_SCOPE'],
  [404, 'DATA_NOT_FOUND'],
  [413, 'DATA_BODY_TOO_LARGE'],
  [429, 'DATA_RATE_LIMIT'],
  [500, 'DATA_INTERNAL'],
  [502, 'DATA_UPSTREAM'],
])

/** Returns a signature aggregator behind HTTP. No header of the caller is forwarded. */
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
    if (response.ok && typeof answer['signedMessage'] === 'string')
      return answer as unknown as AggregateAnswer
    throw refusal(response, answer)
  }
}

async function orUnavailable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const problem = signal.aborted ? 'did not answer in time' : 'does not answer'
    throw new DataApiError('DATA_UNAVAILABLE', `the signature aggregator ${problem}; try again later`, {
      cause,
    })
  }
}

type Members = Readonly<Record<string, Json.Json | undefined>>

function parse(text: string): Members {
  try {
    const body = Json.parse(text)
    return typeof body === 'object' && body !== null ? (body as Members) : {}
  } catch {
    return {}
  }
}

function refusal({ status, headers }: Response, { message, report }: Members): DataApiError {
  const reason =
    typeof message === 'string' ? message : `the signature aggregator answered with status ${status}`
  const retryAfter = headers.get('retry-after')
  const details = {
    ...(retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }),
    ...(report === undefined ? {} : { report }),
  }
  return new DataApiError(CODES.get(status) ?? 'DATA_UNAVAILABLE', reason, { details })
}
