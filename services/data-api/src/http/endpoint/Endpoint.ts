import type { ApiKey } from '@firn/http'
import type { Caller } from './Caller.ts'
import type * as Parameter from './Parameter.ts'
import type { Schema } from './Schema.ts'

/** A JSON value that can contain 64-bit numbers. Members with the value undefined are omitted. */
export type Body =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Body[]
  | { readonly [member: string]: Body | undefined }

/** An endpoint's answer: the HTTP status, the body, and data for the response headers. */
export interface Answer {
  /** HTTP status of this answer; by default the endpoint's status. */
  readonly status?: number
  /** Body of the answer. 64-bit numbers are `bigint` and are serialized exactly. */
  readonly body: Body
  /**
   * Height of the block at which the answer was computed; absent for answers that do not depend on blocks.
   */
  readonly height?: bigint
  readonly time?: bigint
  /** Whether the answer can never change. Such answers may be cached forever. */
  readonly isFinal?: boolean
}

/** Who sent a request. */
export interface Sender {
  readonly owner: {
    /** Id of the API key; undefined without a valid key. */
    readonly key: string | undefined
    /** Names under which the caller is limited, the narrowest first: the key, or the address and its networks. */
    readonly limits: Caller['limits']
    /** Whether the caller has the limits of callers without a key. */
    readonly isAnonymous: boolean
    /** Whether the caller is an operator: on this machine without a key, or with a key of the scope `admin`. */
    readonly isOperator: boolean
  }
  /** URL of the service as the caller wrote it, with the prefix of its paths. */
  readonly url: string
}

/** A request with parsed parameters. */
export interface Call<Path extends Parameter.Specification, Query extends Parameter.Specification> {
  readonly path: Parameter.Values<Path>
  readonly query: Parameter.Values<Query>
  /** The query parameters as received, for page tokens. */
  readonly raw: Readonly<Record<string, string>>
  /** The parsed JSON body of a request that is not a GET. */
  readonly body: unknown
  /** The caller's key, if the endpoint needs one. */
  readonly key: ApiKey.StoredKey | undefined
  readonly userAgent: string
  /** Returns who sent the request. */
  readonly caller: () => Promise<Sender>
  /** Maximum number of rows that the caller may have read at once. It is infinite without rate limits. */
  readonly mostRows: number
  /**
   * Signal that aborts when the request times out. If the answer is not cacheable, it also aborts when the caller
   * disconnects.
   */
  readonly signal: AbortSignal
}

/**
 * A function of an endpoint's calls. TypeScript compares parameters of methods in both directions, so an endpoint with
 * its own parameters is an endpoint with any; the framework parses the parameters of each call by their declarations.
 */
export type CallFunction<C, Result> = { method(call: C): Result }['method']

/** A call of any endpoint. */
export type AnyCall = Call<Parameter.Specification, Parameter.Specification>

/** HTTP methods of endpoints. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A REST endpoint: documentation, cost and handler. */
export interface Endpoint<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> {
  readonly method: Method
  /** Path with parameters in braces, as in OpenAPI: `/v1/networks/{network}/subnets`. */
  readonly path: string
  /** Unique name of the operation; the official client's, if it has the operation. Clients name their methods so. */
  readonly operationId: string
  readonly summary: string
  /** Group of the endpoint. `Tag.ts` describes the groups of this service. */
  readonly tag: string
  /** Whether another endpoint replaces this one. */
  readonly isDeprecated?: boolean
  readonly scope: ApiKey.CallerScope
  /** Compute units of each call, excluding {@link Endpoint.extraUnits}. */
  readonly units: number
  /** Returns additional compute units that depend on the parameters or the body of the call. The body is not checked yet. */
  readonly extraUnits?: CallFunction<Pick<Call<Path, Query>, 'path' | 'query' | 'body'>, number>
  /** Returns the scope that the call needs besides {@link Endpoint.scope}, if it depends on the parameters of the call. */
  readonly extraScope?: CallFunction<
    Pick<Call<Path, Query>, 'path' | 'query'>,
    ApiKey.CallerScope | undefined
  >
  /**
   * Returns the approximate number of rows that the call reads at most. Calls with rows count against the caller's
   * budget, unless their answer is cached. Undefined for cheap endpoints and calls.
   */
  readonly rows?: CallFunction<Pick<Call<Path, Query>, 'path' | 'query'>, number | undefined> | undefined
  /**
   * Whether requests are served without checking the key and the rate limit, for example for health checks.
   */
  readonly isOpen?: boolean
  /** Whether callers without an API key are rejected. */
  readonly needsKey?: boolean
  /** Timeout of a request in milliseconds; by default the service's timeout. */
  readonly timeoutMs?: number
  readonly pathParameters: Path
  readonly queryParameters: Query
  readonly requestBody?: Schema
  /**
   * Whether the body is parsed as JSON regardless of its content type. Otherwise the content type must be
   * JSON.
   */
  readonly takesAnyContentType?: boolean
  /** HTTP status of a successful answer; by default 200. */
  readonly status?: number
  /** Schema of the body of a successful answer, with its description and example. */
  readonly response: Schema
  readonly handle: CallFunction<Call<Path, Query>, Promise<Answer>>
  /**
   * Returns the version of an answer for the cache. If undefined, answers are not cached and every call is
   * computed.
   */
  readonly version?: Version<NoInfer<Path>, NoInfer<Query>> | undefined
  /** Whether the answer also depends on the user agent. Caches must then keep an answer for each user agent. */
  readonly isPerClient?: boolean
}

/**
 * Returns a text that changes whenever the answer to the same URL may change, or differs by client. The cached answer is used while
 * the text is unchanged.
 */
export type Version<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> = CallFunction<Pick<Call<Path, Query>, 'path' | 'query' | 'raw' | 'userAgent'>, Promise<string>>

/** Returns the given endpoint. TypeScript infers the handler's types from the endpoint's parameters. */
export function define<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(endpoint: Endpoint<Path, Query>): Endpoint {
  return endpoint
}

/** A request for a stream. */
export type StreamCall<Path extends Parameter.Specification, Query extends Parameter.Specification> = Pick<
  Call<Path, Query>,
  'path' | 'query' | 'key' | 'signal'
> & {
  /** The `last-event-id` header, which a client sends to resume after a disconnect. */
  readonly lastEventId: string | undefined
  /**
   * Charges compute units for what the stream reads only for this caller.
   * @throws DataApiError `DATA_RATE_LIMIT`, which ends the stream
   */
  readonly pay: (units: number) => Promise<void>
}

/** An endpoint that sends server-sent events until the caller disconnects. */
export interface EventStream<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> extends Omit<Endpoint<Path, Query>, 'method' | 'handle' | 'version' | 'requestBody'> {
  /** Compute units of each minute while the stream is open, in addition to the request's units. */
  readonly unitsPerMinute: number
  /**
   * Returns the texts of the events. A {@link DataApiError} that the iterable throws, also the reason of the signal, ends
   * the stream; its last event has the reason.
   */
  readonly open: CallFunction<StreamCall<Path, Query>, Promise<AsyncIterable<string>>>
  /** Returns the texts of the frames of a WebSocket. If undefined, the path accepts no WebSockets. */
  readonly openSocket?: CallFunction<StreamCall<Path, Query>, Promise<AsyncIterable<string>>>
}

/** Returns the given stream. TypeScript infers the handler's types from the stream's parameters. */
export function defineStream<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(stream: EventStream<Path, Query>): EventStream {
  return stream
}
