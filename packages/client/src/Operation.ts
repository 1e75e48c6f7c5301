/** How an operation is sent, from the OpenAPI document. */
export interface Operation {
  /** Path with parameters in braces. */
  readonly path: string
  /** HTTP method; default GET. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** Service that has the operation; default the Data API. */
  readonly api?: 'metrics'
  /** Names of the parameters that are sent in the body. The others are in the path or in the query. */
  readonly body?: readonly string[]
  /** Names of the parameters that are sent as headers. */
  readonly headers?: readonly string[]
  /** Member of a page that contains its items, for lists. */
  readonly items?: string
  /** Whether the response is a stream of server-sent events. */
  readonly isStream?: true
}

/** Parameters of an operation by name. */
export type Parameters = Readonly<Record<string, unknown>>

/** The parts of a request that an operation and its parameters determine. */
export interface RequestParts {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Returns the parts of a request. Lists in the query are separated by commas. */
export function toRequest(operation: Operation, base: string, parameters: Parameters): RequestParts {
  const { path, method = 'GET', body = [], headers = [] } = operation
  const inPath = new Set<string>()
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return encodeURIComponent(String(parameters[name]))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || inPath.has(name) || body.includes(name) || headers.includes(name)) continue
    query.set(name, String(value))
  }
  const given = (names: readonly string[]) => names.filter((name) => parameters[name] !== undefined)
  const text = query.toString()
  return {
    url: base + filled + (text === '' ? '' : `?${text}`),
    method,
    headers: Object.fromEntries(given(headers).map((name) => [name, String(parameters[name])])),
    body:
      body.length === 0
        ? undefined
        : JSON.stringify(Object.fromEntries(given(body).map((name) => [name, parameters[name]]))),
  }
}
