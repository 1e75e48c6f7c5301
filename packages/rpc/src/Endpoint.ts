import { RpcError } from './RpcError.ts'

/** A server, with the headers and query that are sent with each request. */
export interface Endpoint {
  /**
   * URL with the scheme `http:`, `https:`, `ws:` or `wss:`, with or without a path, such as
   * `http://127.0.0.1:9650/ext/bc/P`. A user and password in the URL are sent as a header.
   */
  readonly url: string
  /** Headers sent with each request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters added to the URL's query. */
  readonly query?: Readonly<Record<string, string>>
}

/** The destination of requests to an {@link Endpoint}. */
export interface Target {
  /** URL with the query but without credentials. */
  readonly url: string
  /** Host and port, for logs and metrics. Paths and queries may contain keys, so they are left out. */
  readonly name: string
  /** Origin and path, without query and credentials. */
  readonly location: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the target of an endpoint, with `path` appended to the path of the endpoint's URL. If both contain
 * a query, the endpoint's query comes first.
 * @example
 * ```ts
 * import { resolve } from '@firn/rpc'
 *
 * const { url } = resolve({ url: 'https://api.avax.network', query: { key: 'a1' } }, '/ext/bc/P')
 * url // 'https://api.avax.network/ext/bc/P?key=a1'
 * ```
 * @throws RpcError `RPC_SCHEMA`; the message doesn't show the URL, which may contain a key
 */
export function resolve({ url, headers, query = {} }: Endpoint, path = ''): Target {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target === undefined || !/^(https?|wss?):$/.test(target.protocol))
    throw new RpcError('RPC_SCHEMA', 'expected a URL that begins with http://, https://, ws:// or wss://')
  const [pathname = '', search = ''] = path.split('?')
  if (pathname !== '') target.pathname = target.pathname.replace(/\/+$/, '') + pathname
  if (search !== '') target.search = [target.search.slice(1), search].filter(Boolean).join('&')
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  const user = [target.username, target.password].map(decodeURIComponent).join(':')
  target.username = ''
  target.password = ''
  return {
    url: target.href,
    name: target.host,
    location: target.origin + (target.pathname === '/' ? '' : target.pathname),
    headers: { ...(user === ':' ? {} : { authorization: `Basic ${toBase64(user)}` }), ...headers },
  }
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
