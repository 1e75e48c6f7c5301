import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { excerpt } from '@firn/codec'
import * as BodyTexts from './BodyTexts.ts'
import { DataApiError } from './DataApiError.ts'
import { type Body, type Call, define, type Endpoint, type Version } from './Endpoint.ts'
import type { PageToken, PageTokens } from './PageToken.ts'
import * as Parameter from './Parameter.ts'
import * as Schema from './Schema.ts'

/** Takes and restores the snapshots of a list. All pages of a list are read at the same snapshot `S`. */
export interface Snapshots<S> {
  readonly latest: () => Promise<S>
  /** Returns the heights from which {@link Snapshots.at} can restore the snapshot. */
  readonly heights: (snapshot: S) => readonly bigint[]
  /**
   * Restores the snapshot with the given heights.
   * @throws DataApiError `DATA_UNAVAILABLE` if this replica has not reached the heights; `DATA_PAGE_TOKEN` if
   * a reorg replaced the blocks
   */
  readonly at: (heights: readonly bigint[]) => Promise<S>
  /** Returns whether the blocks of a snapshot still exist. Undefined for chains without reorgs. */
  readonly isThere?: (snapshot: S) => Promise<boolean>
  /** Returns the block height and time for the response headers. */
  readonly head: (snapshot: S) => { readonly height: bigint; readonly time: bigint }
}

/** A request for one page. */
export interface PageRequest<Path extends Parameter.Specification, Query extends Parameter.Specification, S> {
  readonly path: Parameter.Values<Path>
  readonly query: Parameter.Values<Query>
  readonly at: S
  /** Key of the last item of the previous page; undefined for the first page. */
  readonly after: readonly string[] | undefined
  /** Maximum number of items: the page size plus one, to detect whether there is a next page. */
  readonly limit: number
  readonly userAgent: string
  readonly signal: AbortSignal
}

/** Items of a list whose reading may stop early. */
export interface PartialRead<T> {
  readonly elements: readonly T[]
  /**
   * Key of the position at which the reading stopped before the end of the list, because the list reached its limit.
   * The next page then starts there, even if this page is not full. Undefined otherwise.
   */
  readonly stoppedAt: readonly string[] | undefined
}

/** A list that is read in pages. All pages show the state at the heights of the first page's snapshot. */
export interface List<Path extends Parameter.Specification, Query extends Parameter.Specification, S, T>
  extends Pick<
    Endpoint<Path, Query>,
    | 'path'
    | 'operationId'
    | 'summary'
    | 'tag'
    | 'isDeprecated'
    | 'scope'
    | 'units'
    | 'pathParameters'
    | 'queryParameters'
    | 'isPerClient'
  > {
  readonly version?: Version<NoInfer<Path>> | undefined
  /**
   * Parameters that clients send in the JSON body instead of the query string, because they are too long for a URL or
   * a page token. Every page's request contains them.
   */
  readonly fromBody?: readonly (keyof Query & string)[]
  /**
   * Returns the approximate number of rows that are read at most for each element of a page. Undefined for cheap lists,
   * which have no budget.
   */
  readonly rowsPerElement?: () => number
  /**
   * Returns the approximate number of rows that a page reads at most, if it depends on the query. `query` is undefined for
   * later pages, whose token contains it.
   */
  readonly rows?: (query: Parameter.Values<Query> | undefined, pageSize: number) => number
  readonly pageSize: {
    readonly fallback: number
    readonly maximum: number
    /** Page size used if the client sends 0. If undefined, 0 is rejected. */
    readonly zero?: number
  }
  /** Snapshots of the list, or a function that returns them if they depend on the path. */
  readonly snapshots: Snapshots<S> | ((path: Parameter.Values<Path>) => Snapshots<S>)
  readonly tokens: PageTokens
  /** Name of the response in the OpenAPI document. */
  readonly responseName: string
  /** Members of the response in addition to `nextPageToken`. */
  readonly response: Schema.Members
  /** Returns items in the list's order, starting after `after`. */
  readonly read: (request: PageRequest<Path, Query, S>) => Promise<readonly T[] | PartialRead<T>>
  /** Returns a key of the item's position. The key must stay valid when new items are added to the list. */
  readonly keyOf: (element: T) => readonly string[]
  readonly body: (
    elements: readonly T[],
    request: PageRequest<Path, Query, S>,
  ) => Promise<{ readonly [member: string]: Body | undefined }>
}

const nextPageToken = Schema.optional(
  Schema.text('Token of the next page; absent on the last page', 'AAECAwQFBgcICQ'),
)

/** Parameters that may change from page to page. */
const FREE = new Set(['pageSize', 'pageToken'])

/**
 * Returns the endpoint of a list. A page token contains the first page's query parameters, so requests for later
 * pages need only the token and the parameters in `fromBody`.
 */
export function list<
  const Path extends Parameter.Specification,
  const Query extends Parameter.Specification,
  S,
  T,
>(made: List<Path, Query, S, T>): Endpoint {
  const { pageSize, fromBody = [] } = made
  const paging = {
    pageSize: Parameter.integer(pageSize.zero === undefined ? 1 : 0, pageSize.maximum, pageSize.fallback),
    pageToken: Parameter.optional(Parameter.text('nextPageToken of the previous page', (text) => text)),
  }
  const response = Schema.object(made.responseName, 'A page of a list', { nextPageToken, ...made.response }, [
    'incomplete',
  ])
  return define({
    ...made,
    method: fromBody.length === 0 ? 'GET' : 'POST',
    queryParameters: { ...lenient(without(made.queryParameters, fromBody)), ...paging },
    ...(fromBody.length === 0
      ? {}
      : { requestBody: BodyTexts.schema(made.operationId, made.queryParameters, fromBody) }),
    extraUnits: extraUnitsOf(made),
    response,
    rows: rowsOf(made),
    handle: async (call) => {
      const size = (call.query['pageSize'] as number) || (pageSize.zero ?? pageSize.fallback)
      const snapshots = snapshotsOf(made, call)
      const { token, begun, query } = begin(made, call)
      const read = async (at: S) => {
        const path = call.path as Parameter.Values<Path>
        const { userAgent, signal } = call
        const request = { path, query, at, after: token?.after, limit: size + 1, userAgent, signal }
        const { elements, stoppedAt } = asPartial(await made.read(request))
        const page = elements.slice(0, size)
        const last = page.at(-1)
        const next = elements.length > size && last !== undefined ? made.keyOf(last) : stoppedAt
        const nextPageToken =
          next &&
          made.tokens.seal(nameOf(made, call), { at: snapshots.heights(at), after: next, query: begun })
        return { body: { nextPageToken, ...(await made.body(page, request)) }, ...snapshots.head(at) }
      }
      return token === undefined ? latestOf(snapshots, call.signal, read) : pinned(snapshots, token.at, read)
    },
  })
}

/** Returns the function that tells how many rows a request reads; undefined for cheap lists. */
function rowsOf<Path extends Parameter.Specification, Query extends Parameter.Specification, S, T>({
  rows,
  rowsPerElement,
}: List<Path, Query, S, T>): Endpoint['rows'] {
  if (rows === undefined && rowsPerElement === undefined) return undefined
  return ({ query }) => {
    const { pageSize, pageToken } = query as { readonly pageSize: number; readonly pageToken?: string }
    if (rows === undefined) return (rowsPerElement?.() ?? 0) * pageSize
    const isLater = pageToken !== undefined && pageToken !== ''
    return rows(isLater ? undefined : (query as Parameter.Values<Query>), pageSize)
  }
}

/** Returns the function that charges the parameters of a body. */
function extraUnitsOf<Path extends Parameter.Specification, Query extends Parameter.Specification, S, T>({
  fromBody = [],
  queryParameters,
  units,
}: List<Path, Query, S, T>): NonNullable<Endpoint['extraUnits']> {
  return ({ body }) => BodyTexts.extraUnits(body, queryParameters, fromBody, units)
}

function asPartial<T>(read: readonly T[] | PartialRead<T>): PartialRead<T> {
  return 'elements' in read ? read : { elements: read, stoppedAt: undefined }
}

const ATTEMPTS = 10
const PAUSE_MS = 20

/**
 * Returns the result of `read` at the latest snapshot. Repeats the read if the snapshot's blocks were
 * reverted meanwhile.
 * @throws DataApiError `DATA_UNAVAILABLE` after 10 attempts; errors of `read`
 */
export async function latestOf<S, T>(
  snapshots: Snapshots<S>,
  signal: AbortSignal,
  read: (at: S) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const at = await snapshots.latest()
    const result = await readAt(snapshots, at, read)
    if (result !== undefined) return result.value
    await setTimeout(PAUSE_MS, undefined, { signal })
  }
  throw new DataApiError('DATA_UNAVAILABLE', 'blocks are reverted faster than they are read; try again later')
}

async function pinned<S, T>(
  snapshots: Snapshots<S>,
  heights: readonly bigint[],
  read: (at: S) => Promise<T>,
): Promise<T> {
  const result = await readAt(snapshots, await snapshots.at(heights), read)
  if (result !== undefined) return result.value
  // `at` throws if the blocks were replaced. It succeeds if a second reorg has restored them.
  await snapshots.at(heights)
  throw new DataApiError('DATA_UNAVAILABLE', 'blocks were replaced while they were read; try again')
}

/**
 * Returns the result of `read`. Returns undefined if the snapshot became invalid during the read; in this
 * case errors of `read` are ignored.
 */
async function readAt<S, T>(
  { isThere = async () => true }: Snapshots<S>,
  at: S,
  read: (at: S) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  try {
    const value = await read(at)
    return (await isThere(at)) ? { value } : undefined
  } catch (error) {
    if (await isThere(at)) throw error
    return undefined
  }
}

function snapshotsOf<Path extends Parameter.Specification, Query extends Parameter.Specification, S, T>(
  { snapshots }: List<Path, Query, S, T>,
  { path }: { readonly path: unknown },
): Snapshots<S> {
  return typeof snapshots === 'function' ? snapshots(path as Parameter.Values<Path>) : snapshots
}

/** Makes all parameters optional, because a page token can provide them. */
function lenient(specification: Parameter.Specification): Parameter.Specification {
  const entries = Object.entries(specification)
  return Object.fromEntries(entries.map(([name, one]) => [name, Parameter.optional(one)]))
}

/**
 * Returns the list's name for page tokens. It contains the path parameters, so a token is not valid for a
 * different network or chain.
 */
function nameOf(made: { readonly path: string }, { path }: { readonly path: unknown }): string {
  return JSON.stringify([made.path, path], (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/**
 * Returns the parameters of a list. With a page token, these are the parameters of the first page, which the
 * token contains.
 */
function begin<Path extends Parameter.Specification, Query extends Parameter.Specification, S, T>(
  made: List<Path, Query, S, T>,
  call: Call<Parameter.Specification, Parameter.Specification>,
) {
  const text = call.query['pageToken'] as string | undefined
  const token = text === undefined || text === '' ? undefined : made.tokens.open(nameOf(made, call), text)
  const { fromBody = [] } = made
  const texts = BodyTexts.read(call.body, fromBody)
  const given = { ...filtersOf(without(made.queryParameters, fromBody), call.raw), ...digestsOf(texts) }
  if (token !== undefined) assertSame(given, token)
  const begun = token?.query ?? given
  const query = Parameter.read(made.queryParameters, { ...without(begun, fromBody), ...texts })
  return { token, begun, query }
}

/**
 * Returns digests of long parameters for the page token. A digest suffices to detect a later page with a
 * different value.
 */
function digestsOf(texts: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const digest = (values: readonly string[]) =>
    createHash('sha256').update(JSON.stringify(values)).digest('base64url')
  return Object.fromEntries(Object.entries(texts).map(([name, values]) => [name, digest(values)]))
}

function without<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))
}

function filtersOf(
  specification: Parameter.Specification,
  raw: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = Object.keys(specification).filter((name) => !FREE.has(name))
  return Object.fromEntries(names.flatMap((name) => (raw[name] === undefined ? [] : [[name, raw[name]]])))
}

function assertSame(given: Readonly<Record<string, string>>, { query }: PageToken): void {
  for (const [name, value] of Object.entries(given)) {
    if (query[name] === value) continue
    const message = `pageToken: expected ${name} as on the list's first page, got ${excerpt(value)}`
    throw new DataApiError('DATA_PAGE_TOKEN', message)
  }
}
