import type { TObject, TSchema } from 'typebox'
import type { Scope } from './ApiKey.ts'
import type * as Parameter from './Parameter.ts'

/** JSON with 64-bit numbers; absent members are omitted. */
export type Body =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Body[]
  | { readonly [member: string]: Body | undefined }

/** A successful answer: the body, and data for its headers. */
export interface Answer {
  /** Overrides the endpoint's status. */
  readonly status?: number
  /** 64-bit numbers are `bigint` and are written exactly. */
  readonly body: Body
  /**
   * The height at which the answer was computed, and that block's time in Unix seconds; absent for answers
   * without blocks.
   */
  readonly height?: bigint
  readonly time?: bigint
  /** True when the answer can never change: it gets an ETag and may be cached. */
  readonly isFinal?: boolean
}

/** A request with parsed parameters. */
export interface Call<Path extends Parameter.Specification, Query extends Parameter.Specification> {
  readonly path: Parameter.Values<Path>
  readonly query: Parameter.Values<Query>
  /** The query as received, for page tokens. */
  readonly raw: Readonly<Record<string, string>>
  /** The JSON body of a POST. */
  readonly body: unknown
  readonly userAgent: string
  /** Aborts when the caller disconnects or the time is up. */
  readonly signal: AbortSignal
}

/** One REST endpoint: its documentation, its price and its handler. */
export interface Endpoint<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> {
  readonly method: 'GET' | 'POST'
  /** With parameters in braces, as in OpenAPI: `/v1/networks/{network}/subnets`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly scope: Scope
  /** Compute units of a call; the minimum if {@link Endpoint.extraUnits} adds some. */
  readonly units: number
  /** Returns additional compute units of a call with these parameters. */
  readonly extraUnits?: (call: Pick<Call<Path, Query>, 'path' | 'query'>) => number
  /** True for health checks: every caller is answered, whatever key was sent, and no limit applies. */
  readonly isOpen?: boolean
  /** Maximum duration of a request, if it differs from the service's. */
  readonly timeoutMs?: number
  readonly pathParameters: Path
  readonly queryParameters: Query
  readonly requestBody?: TSchema
  /**
   * If true, a body is read as JSON regardless of its content type; otherwise the content type must be JSON.
   */
  readonly takesAnyContentType?: boolean
  /** Status of a success; 200. */
  readonly status?: number
  readonly response: TObject | TSchema
  readonly handle: (call: Call<Path, Query>) => Promise<Answer>
  /** Without it every call is computed anew. */
  readonly version?: Version<Path, Query> | undefined
}

/**
 * Returns everything besides the URL that an answer depends on: while it stays the same, the cached answer is
 * returned.
 */
export type Version<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> = (call: Pick<Call<Path, Query>, 'path' | 'query' | 'raw'>) => Promise<string>

/** Returns the endpoint, with the types of its handler inferred from its parameters. */
export function define<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(endpoint: Endpoint<Path, Query>): Endpoint {
  return endpoint as unknown as Endpoint
}

/** An endpoint that sends server-sent events for as long as the caller listens. */
export interface EventStream<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> extends Omit<Endpoint<Path, Query>, 'method' | 'handle' | 'version' | 'requestBody'> {
  readonly open: (
    call: Pick<Call<Path, Query>, 'path' | 'query' | 'signal'> & {
      /** The header with which a client resumes after a disconnect. */
      readonly lastEventId: string | undefined
    },
  ) => Promise<AsyncIterable<string>>
}

/** Returns the stream, with the types of its handler inferred from its parameters. */
export function defineStream<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(stream: EventStream<Path, Query>): EventStream {
  return stream as unknown as EventStream
}
