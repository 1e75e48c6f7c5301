import type { FetchFailure, PublicFetch } from '@firn/outbound'
import type { Clock } from '@firn/runtime'
import { createHosts } from './Hosts.ts'

/** Options of {@link createHostFetch}. */
export interface HostFetchOptions {
  readonly fetch: PublicFetch.PublicFetch
  readonly clock: Clock
  /** Maximum number of concurrent requests to one host. `perGateway` is the maximum for one gateway. */
  readonly perHost: number
  readonly perGateway: number
}

const THROTTLED_MS = 60_000
/** Failures that count against the host. */
const OF_HOST: ReadonlySet<FetchFailure> = new Set(['timeout', 'connection', 'name-not-found'])

/**
 * Creates a function that fetches documents, limits the requests to each host, and remembers which hosts are failing or
 * throttling. Its result has `until` if no request was made because of that.
 */
export function createHostFetch({ fetch, clock, perHost, perGateway }: HostFetchOptions) {
  const hosts = createHosts(clock)
  return async (url: URL, gateway: string | undefined, signal: AbortSignal) => {
    const turn = await hosts.enter(url.host, gateway === undefined ? perHost : perGateway)
    if ('until' in turn) return turn
    let leave = () => turn.answered()
    try {
      const fetched = await fetch(url, gateway, signal)
      if ('failure' in fetched) {
        const { failure, retryAfterSeconds } = fetched
        if (failure === 'throttled')
          leave = () =>
            turn.throttled(retryAfterSeconds === undefined ? THROTTLED_MS : retryAfterSeconds * 1_000)
        // Failures do not count against a gateway, because it may search for missing content until the timeout.
        else if (gateway === undefined && OF_HOST.has(failure)) leave = () => turn.failed(failure)
      }
      return fetched
    } finally {
      leave()
    }
  }
}
