import { type Clock, systemClock } from '@firn/runtime'
import { ClientError } from './ClientError.ts'
import { readEvents } from './Events.ts'
import { type Operation, type Parameters, toRequest } from './Operation.ts'
import { type AnswerCache, type CallOptions, request, type Settings, send } from './Request.ts'

/** Options of all clients. */
export interface RequestOptions {
  /** API key. Without a key, the service limits requests by address. */
  readonly apiKey?: string | undefined
  /** Function that sends requests; default the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds within which a response must be complete; default 30,000. Event streams have no time limit. */
  readonly timeoutMs?: number | undefined
  /** How often a request is sent again after a 429, a 503 or without a connection; default 3. */
  readonly retries?: number | undefined
  /** Longest wait before a retry, in milliseconds. If the service asks for more, the error is thrown; default 30,000. */
  readonly longestWaitMs?: number | undefined
  /** Where answers are kept by URL; by default nowhere. The service is still asked whether they have changed. */
  readonly cache?: AnswerCache | undefined
  /** Clock for the waits before retries; default the clock of the system. */
  readonly clock?: Clock | undefined
  /** Returns a random number in [0, 1) for the waits before retries; default `Math.random`. */
  readonly random?: (() => number) | undefined
}

/** Operations by group and name. */
export type Groups = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Returns a function for each operation. `urls` are the services' by the name that operations have in `api`. */
export function createCalls(
  groups: Groups,
  urls: { readonly data: string; readonly metrics?: string | undefined },
  options: RequestOptions,
): unknown {
  const data = baseOf(urls.data)
  const bases = { data, metrics: urls.metrics === undefined ? data : baseOf(urls.metrics) }
  const settings: Settings = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    headers: options.apiKey === undefined ? {} : { 'x-data-api-key': options.apiKey },
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    longestWaitMs: options.longestWaitMs ?? 30_000,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    cache: options.cache,
  }
  const entries = Object.entries(groups).map(([group, operations]) => {
    const calls = Object.entries(operations).map(([name, operation]) => [
      name,
      callOf(operation, bases[operation.api ?? 'data'], settings),
    ])
    return [group, Object.fromEntries(calls)]
  })
  return Object.fromEntries(entries)
}

function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new ClientError('CLIENT_URL', `expected an http or https URL, got ${JSON.stringify(url)}`)
  }
  return url.replace(/\/+$/, '')
}

function callOf(operation: Operation, base: string, settings: Settings) {
  const { isStream, items } = operation
  if (isStream === true) return eventsOf(operation, base, settings)
  const call = (parameters: Parameters = {}, options?: CallOptions) =>
    request(toRequest(operation, base, parameters), settings, options)
  if (items === undefined) return call
  async function* pages(parameters: Parameters = {}, options?: CallOptions) {
    // A service that sends a token twice would send the same pages for ever.
    const seen = new Set<unknown>()
    let pageToken = parameters['pageToken']
    do {
      seen.add(pageToken)
      const page = (await call({ ...parameters, pageToken }, options)) as Parameters
      yield page
      pageToken = page['nextPageToken']
    } while (typeof pageToken === 'string' && pageToken !== '' && !seen.has(pageToken))
  }
  async function* all(parameters?: Parameters, options?: CallOptions) {
    for await (const page of pages(parameters, options)) {
      for (const item of (page[items as string] ?? []) as readonly unknown[]) {
        options?.signal?.throwIfAborted()
        yield item
      }
    }
  }
  return Object.assign(call, { pages, items: all })
}

function eventsOf(operation: Operation, base: string, settings: Settings) {
  return async function* (parameters: Parameters = {}, { signal }: CallOptions = {}) {
    // A stream has no end, so only the caller ends it.
    const endless = { ...settings, timeoutMs: undefined }
    yield* readEvents(await send(toRequest(operation, base, parameters), endless, signal))
  }
}
