import { Avalanche } from '@avalanche-sdk/chainkit'
import { HTTPClient } from '@avalanche-sdk/chainkit/lib/http.js'

/** Creates the official client for a server at `url`, by default without an API key. For tests only. */
export function client(url: string, apiKey?: string): Avalanche {
  const httpClient = new HTTPClient({ fetcher: redirected(url) })
  return new Avalanche({
    ...(apiKey === undefined ? {} : { apiKey }),
    network: 'fuji',
    enableTelemetry: false,
    retryConfig: { strategy: 'none' },
    httpClient,
  })
}

/** Returns a function that sends requests to the server at `url` instead of their host. For tests only. */
export function redirected(url: string) {
  return (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : new Request(input, init)
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(url + pathname + search, request))
  }
}

/** Returns all pages of a list, as the official client reads them. For tests only. */
export async function all<T>(pages: Promise<AsyncIterable<{ readonly result: T }>>): Promise<T[]> {
  const results: T[] = []
  for await (const page of await pages) results.push(page.result)
  return results
}
