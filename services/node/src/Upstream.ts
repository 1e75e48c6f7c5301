import { Json } from '@firn/codec'
import { RpcError } from '@firn/rpc'
import { NodeError } from './NodeError.ts'

/** What an upstream node answered, unread. */
export interface UpstreamAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What goes along with a body. */
export interface UpstreamCall {
  /** `POST` if not given. */
  readonly method?: string
  /** `{ 'content-type': 'application/json' }` if not given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** How one upstream is doing. */
export interface UpstreamHealth {
  /** Without query and credentials. */
  readonly url: string
  readonly healthy: boolean
  /** Why the last call failed, since the last one that did not. */
  readonly lastError: string | undefined
}

/** The nodes behind this one: what a replica can't answer itself is asked there, byte for byte. */
export interface Upstream {
  /**
   * Sends a body to a path, such as `/ext/bc/P`, of the first upstream that answers.
   * @throws NodeError `NODE_UPSTREAM`: none of them answered in time
   */
  call(path: string, body: Uint8Array, call?: UpstreamCall): Promise<UpstreamAnswer>
  /** Returns the result of one JSON-RPC method, arguments and result as JSON. @throws RpcError `RPC_REMOTE` as the upstream said it */
  method(path: string, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** Returns where a path is at each upstream, in the order in which they should be tried now. */
  urls(path: string): readonly URL[]
  /** Returns how each is doing, in order of preference. */
  health(): readonly UpstreamHealth[]
}

/** What {@link createUpstream} needs. */
export interface UpstreamOptions {
  /** Roots of node APIs in order of preference, as `http://127.0.0.1:9650`; at least one. */
  readonly urls: readonly string[]
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  /** Milliseconds, from any start. */
  readonly now: () => number
  /** How long one that failed is asked last; 10,000. */
  readonly cooldownMs?: number
}

interface State {
  readonly url: URL
  failedAt: number
  lastError: string | undefined
}

/** Returns a face for several nodes: the first that answers counts, one that failed lately is asked last. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { now, cooldownMs = 10_000 } = options
  const states = options.urls.map(
    (url): State => ({
      url: new URL(url),
      failedAt: Number.NEGATIVE_INFINITY,
      lastError: undefined,
    }),
  )
  const preferred = () => {
    const isCooling = (state: State) => state.lastError !== undefined && now() - state.failedAt < cooldownMs
    return [...states.filter((state) => !isCooling(state)), ...states.filter(isCooling)]
  }
  const call: Upstream['call'] = async (path, body, how = {}) => {
    const failures: string[] = []
    let answer: UpstreamAnswer | undefined
    for (const state of preferred()) {
      const tried = await attempt(pathAt(state.url, path), body, how, options)
      if (typeof tried !== 'string' && !isOverloaded(tried.status)) {
        state.lastError = undefined
        return tried
      }
      if (how.signal?.aborted) throw unanswered(['the caller went away'])
      if (typeof tried !== 'string') answer = tried
      state.lastError = typeof tried === 'string' ? tried : `HTTP status ${tried.status}`
      state.failedAt = now()
      failures.push(`${shown(state.url)}: ${state.lastError}`)
    }
    if (answer !== undefined) return answer
    throw unanswered(failures)
  }
  return {
    call,
    method: (path, method, params, signal) => callMethod(call, path, method, params, signal),
    urls: (path) => preferred().map(({ url }) => pathAt(url, path)),
    health: () =>
      states.map(({ url, lastError }) => ({ url: shown(url), healthy: lastError === undefined, lastError })),
  }
}

function unanswered(failures: readonly string[]): NodeError {
  return new NodeError('NODE_UPSTREAM', `no upstream node answered (${failures.join('; ')})`)
}

/** What another upstream may do better. */
function isOverloaded(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** The path at an upstream, whose own path goes before and whose query goes along. */
function pathAt(base: URL, path: string): URL {
  const [pathname = '', query] = path.split('?')
  const url = new URL(base)
  url.pathname = base.pathname.replace(/\/+$/, '') + pathname
  const queries = [base.search.slice(1), query ?? ''].filter((part) => part !== '')
  url.search = queries.join('&')
  return url
}

function shown({ origin, pathname }: URL): string {
  return origin + (pathname === '/' ? '' : pathname)
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** The answer, or why there is none. */
async function attempt(
  url: URL,
  body: Uint8Array,
  { method = 'POST', headers = JSON_HEADERS, signal }: UpstreamCall,
  options: UpstreamOptions,
): Promise<UpstreamAnswer | string> {
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const { username, password } = url
  const target = new URL(url)
  target.username = ''
  target.password = ''
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  try {
    const response = await options.fetch(target, {
      method,
      headers: {
        'accept-encoding': 'identity',
        ...headers,
        ...(username === '' ? {} : { authorization }),
      },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes }
  } catch (error) {
    if (timeout.aborted) return `no answer within ${options.timeoutMs} ms`
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.message
}

async function callMethod(
  call: Upstream['call'],
  path: string,
  method: string,
  params: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const body = Json.stringify({ jsonrpc: '2.0', id: 1, method, params: params as Json.Json })
  const answer = await call(path, new TextEncoder().encode(body), signal === undefined ? {} : { signal })
  const message = parse(answer, method)
  if (message.error === undefined || message.error === null) return message.result
  const { code = -32000, message: text = '', data = null } = message.error
  throw new RpcError('RPC_REMOTE', text, { details: { rpcCode: code, rpcMessage: text, data } })
}

interface Message {
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: unknown } | null
}

function parse({ status, body }: UpstreamAnswer, method: string): Message {
  const text = new TextDecoder().decode(body)
  try {
    const json = Json.parse(text)
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Message
  } catch {
    // Told below, with the start of the text.
  }
  throw new NodeError(
    'NODE_UPSTREAM',
    `the upstream node answered ${method} with status ${status}: ${text.trim().slice(0, 200)}`,
  )
}
