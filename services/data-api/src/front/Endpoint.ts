import type { TObject, TSchema } from 'typebox'
import type { Scope } from './ApiKey.ts'
import type * as Parameter from './Parameter.ts'

/** JSON with 64-bit numbers, in which what is absent is left out. */
export type Body =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Body[]
  | { readonly [member: string]: Body | undefined }

/** A success: the body, and what its headers say. */
export interface Answer {
  /** Another than the endpoint's. */
  readonly status?: number
  /** 64-bit numbers are `bigint` and come out exactly. */
  readonly body: Body
  /** The height that the answer is as of, and that block's time, Unix seconds; absent of what has no blocks. */
  readonly height?: bigint
  readonly time?: bigint
  /** True when the answer can't ever be another: it gets an ETag and may be kept. */
  readonly isFinal?: boolean
}

/** A request whose parameters have been read. */
export interface Call<Path extends Parameter.Specification, Query extends Parameter.Specification> {
  readonly path: Parameter.Values<Path>
  readonly query: Parameter.Values<Query>
  /** The query as it came, for tokens that stand for it. */
  readonly raw: Readonly<Record<string, string>>
  /** The JSON body of a POST. */
  readonly body: unknown
  readonly userAgent: string
  /** Aborts when the caller goes away or the time is up. */
  readonly signal: AbortSignal
}

/** One REST endpoint: its documentation, its price and its handler. */
export interface Endpoint<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> {
  readonly method: 'GET' | 'POST'
  /** With parameters in braces, as OpenAPI has them: `/v1/networks/{network}/subnets`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly scope: Scope
  /** Compute units that a call takes; the least where {@link Endpoint.extraUnits} adds some. */
  readonly units: number
  /** Compute units that a call with these parameters takes beside `units`. */
  readonly extraUnits?: (call: Pick<Call<Path, Query>, 'path' | 'query'>) => number
  /** True for health checks: whoever calls is answered, whatever key was sent, and no limit counts. */
  readonly isOpen?: boolean
  /** The longest that a request may take, where that is another than the service's. */
  readonly timeoutMs?: number
  readonly pathParameters: Path
  readonly queryParameters: Query
  readonly requestBody?: TSchema
  /** True: a body is read as JSON whatever its content type says; otherwise it must say JSON. */
  readonly takesAnyContentType?: boolean
  /** Of a success; 200. */
  readonly status?: number
  readonly response: TObject | TSchema
  readonly handle: (call: Call<Path, Query>) => Promise<Answer>
  /** Without it every call is answered anew. */
  readonly version?: Version<Path, Query> | undefined
}

/** Returns what the answer to a URL depends on beside the URL: while it is the same, an answer that was given is given again. */
export type Version<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> = (call: Pick<Call<Path, Query>, 'path' | 'query' | 'raw'>) => Promise<string>

/** The endpoint, with the types of its handler taken from its parameters. */
export function define<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(endpoint: Endpoint<Path, Query>): Endpoint {
  return endpoint as unknown as Endpoint
}

/** An endpoint whose answer are server-sent events, for as long as the caller listens. */
export interface EventStream<
  Path extends Parameter.Specification = Parameter.Specification,
  Query extends Parameter.Specification = Parameter.Specification,
> extends Omit<Endpoint<Path, Query>, 'method' | 'handle' | 'version' | 'requestBody'> {
  readonly open: (
    call: Pick<Call<Path, Query>, 'path' | 'query' | 'signal'> & {
      /** The header by which a client goes on after a break. */
      readonly lastEventId: string | undefined
    },
  ) => Promise<AsyncIterable<string>>
}

/** The stream, with the types of its opening taken from its parameters. */
export function defineStream<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
>(stream: EventStream<Path, Query>): EventStream {
  return stream as unknown as EventStream
}
