/** Example values for the path parameters of the endpoints that match `path`, by parameter name. */
export type Example = {
  readonly path: RegExp
  readonly values: Readonly<Record<string, string>>
  /** Query parameters that the endpoint requires. */
  readonly query?: string
}

/** Result of a request to an endpoint. */
export type Shown = {
  readonly url: string
  /** Description of the data; undefined if the response contains no data. */
  readonly found: string | undefined
}

type OpenApi = { readonly paths: Readonly<Record<string, { readonly get?: { readonly tags?: string[] } }>> }

/**
 * Calls every GET endpoint of a Data API that has one of the given tags, and describes each response. Takes
 * the endpoints from the Data API's OpenAPI document, so that none is missed.
 */
export const showcase = async (
  base: string,
  tags: readonly string[],
  examples: readonly Example[],
  signal: AbortSignal,
): Promise<readonly Shown[]> => {
  const { paths } = (await (await fetch(`${base}/openapi.json`, { signal })).json()) as OpenApi
  const shown: Shown[] = []
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || !(get.tags ?? []).some((tag) => tags.includes(tag))) continue
    for (const url of urlsOf(path, examples)) shown.push({ url, found: await show(`${base}${url}`, signal) })
  }
  return shown
}

/**
 * Returns the URLs of a path: one for each example that matches the path, or the path itself if none matches.
 */
const urlsOf = (path: string, examples: readonly Example[]): readonly string[] => {
  const matching = examples.filter((example) => example.path.test(path))
  const filled = matching.map(({ values, query }) => {
    const url = path.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    return query === undefined ? url : `${url}?${query}`
  })
  return filled.length === 0 ? [path] : filled
}

const show = async (url: string, signal: AbortSignal): Promise<string | undefined> => {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
  const response = await fetch(url, { signal: timeout })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return firstEvent(response)
  if (type.startsWith('image/')) return `an image (${type})`
  const body: unknown = await response.json().catch(() => undefined)
  return response.ok && body !== undefined ? describe(body as object) : undefined
}

/** Describes the first event of a stream. Does not wait for more events, because the stream does not end. */
const firstEvent = async (response: Response): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const name = /^event: (\w+)$/m.exec(text)?.[1]
    if (name !== undefined) return `events, starting with a ${name}`
  }
  return undefined
}

const describe = (body: object): string | undefined => {
  const members = Object.entries(body).filter(([name]) => name !== 'nextPageToken')
  const lists = members.filter(([, value]) => Array.isArray(value)) as [string, unknown[]][]
  const full = lists.filter(([, list]) => list.length > 0).map(([name, { length }]) => `${length} ${name}`)
  if (full.length > 0) return full.join(', ')
  const others = members.length - lists.length
  return others > 0 ? `${others} members` : undefined
}
