import type { IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '@firn/runtime'
import { readBody } from './Body.ts'
import * as ContentType from './ContentType.ts'
import type { FetchFailure } from './FetchFailure.ts'
import * as HostAddresses from './HostAddresses.ts'
import * as OutboundTarget from './OutboundTarget.ts'
import * as PinnedRequest from './PinnedRequest.ts'
import * as PublicAddress from './PublicAddress.ts'

/** Policy of a fetch: the allowed URLs and the limits. */
export interface Policy {
  /**
   * Returns all addresses of a host name. Called once for each hop. Host names are not resolved in any other
   * way.
   */
  readonly resolve: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Returns all addresses of a gateway's host name. They may be internal addresses. */
  readonly resolveGateway: (hostname: string) => Promise<readonly string[]>
  readonly isPublic: (address: string) => boolean
  /** Whether `http:` is allowed in addition to `https:`. */
  readonly plainHttp: boolean
  readonly ports: readonly number[]
  /** Maximum number of redirects to follow. */
  readonly redirects: number
  /** Timeout in milliseconds for the headers of one hop. */
  readonly headersMs: number
  /** Timeout in milliseconds for the whole fetch: name lookups, hops and body. */
  readonly totalMs: number
  /** Maximum size of a body in bytes, applied to its compressed and to its decompressed form. */
  readonly bodyBytes: number
  readonly userAgent: string
  /** The `accept` header. */
  readonly accept: string
  /** Returns whether a body of this content type is read. */
  readonly isReadable: (contentType: string | undefined) => boolean
  /** Certificates to trust instead of those included in Node, in PEM. */
  readonly ca: string | undefined
}

export const POLICY: Policy = {
  resolve: HostAddresses.resolve,
  resolveGateway: HostAddresses.resolveInside,
  isPublic: PublicAddress.isPublic,
  plainHttp: false,
  ports: [80, 443],
  redirects: 5,
  headersMs: 10_000,
  totalMs: 30_000,
  bodyBytes: 1_048_576,
  userAgent: 'firn',
  accept: 'application/json, text/*;q=0.9, */*;q=0.1',
  isReadable: ContentType.isReadable,
  ca: undefined,
}

/** A document, or the reason why it could not be fetched. */
export type Fetched =
  | { readonly bytes: Uint8Array; readonly contentType: string | undefined }
  | { readonly failure: FetchFailure; readonly retryAfterSeconds?: number }

/**
 * Fetches one document from an untrusted server. At each hop, the scheme, the port, the credentials and every
 * address of the host name are checked, and the connection uses only the checked addresses. TLS is verified
 * against the host name. URLs below `gateway`, which the operator has configured, may be internal. Apart from
 * the headers of the protocol, only `accept` and `user-agent` are sent. Rejects only on abort, with the
 * signal's reason.
 */
export type PublicFetch = (url: URL, gateway: string | undefined, signal: AbortSignal) => Promise<Fetched>

/**
 * Creates a function that fetches documents. Missing options default to {@link POLICY}.
 *
 * @example
 * ```ts
 * import { PublicFetch } from '@firn/outbound'
 *
 * const fetch = PublicFetch.create({ bodyBytes: 65_536 })
 * const fetched = await fetch(new URL('https://example.org/1.json'), undefined, AbortSignal.timeout(5_000))
 * if ('failure' in fetched) console.log(fetched.failure)
 * ```
 */
export function create(options: Partial<Policy> = {}, clock: Clock = systemClock): PublicFetch {
  const policy = { ...POLICY, ...options }
  return async (url, gateway, signal) => {
    const fetched = await within(policy.totalMs, clock, signal, (inTime) =>
      follow(url, gateway, policy, clock, inTime),
    )
    signal.throwIfAborted()
    return fetched
  }
}

async function follow(
  first: URL,
  gateway: string | undefined,
  policy: Policy,
  clock: Clock,
  signal: AbortSignal,
): Promise<Fetched> {
  let url = first
  for (let hops = 0; hops <= policy.redirects; hops++) {
    const checked = await check(url, gateway, policy, signal)
    if ('failure' in checked) return checked
    const response = await within(policy.headersMs, clock, signal, (inTime) =>
      PinnedRequest.send(
        { url, ...checked, method: 'GET', headers: headersOf(policy), ca: policy.ca },
        inTime,
      ),
    )
    if ('failure' in response) return response
    try {
      const next = redirectOf(response, url)
      if (next === undefined) return await judge(response, policy, clock, signal)
      if ('failure' in next) return next
      url = next
    } finally {
      response.destroy()
    }
  }
  return { failure: 'redirects' }
}

/** Returns the addresses to which a request may connect, or the reason why the URL is not allowed. */
async function check(
  url: URL,
  gateway: string | undefined,
  policy: Policy,
  signal: AbortSignal,
): Promise<{ readonly addresses: readonly string[] } | { readonly failure: FetchFailure }> {
  const isOurs = gateway !== undefined && url.href.startsWith(gateway)
  if (!isOurs) return OutboundTarget.check(url, policy, signal)
  const { resolveGateway: resolve } = policy
  return OutboundTarget.check(
    url,
    { resolve, isPublic: () => true, plainHttp: true, ports: undefined },
    signal,
  )
}

function headersOf({ accept, userAgent }: Policy): Readonly<Record<string, string>> {
  return {
    accept,
    'accept-encoding': 'gzip, br',
    'user-agent': userAgent,
  }
}

async function judge(
  response: IncomingMessage,
  policy: Policy,
  clock: Clock,
  signal: AbortSignal,
): Promise<Fetched> {
  const { statusCode: status, headers } = response
  const retryAfterSeconds = secondsOf(headers['retry-after'], clock.now())
  if (status === 429 || (status === 503 && retryAfterSeconds !== undefined))
    return { failure: 'throttled', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }
  if (status !== 200) return { failure: 'http-status' }
  const contentType = headers['content-type']
  if (!policy.isReadable(contentType)) return { failure: 'content-type' }
  const body = await readBody(response, policy.bodyBytes, signal)
  return 'failure' in body ? body : { ...body, contentType }
}

function redirectOf(
  { statusCode = 0, headers }: IncomingMessage,
  from: URL,
): URL | { readonly failure: FetchFailure } | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined
  return URL.canParse(headers.location, from.href)
    ? new URL(headers.location, from.href)
    : { failure: 'redirects' }
}

/**
 * Runs work with a signal that is also aborted after a given time. Returns `timeout` if the time passes or the signal
 * is aborted before the work is done. Unlike `AbortSignal.any`, this leaves no listeners on long-lived signals.
 */
async function within<T>(
  ms: number,
  clock: Clock,
  signal: AbortSignal,
  work: (inTime: AbortSignal) => Promise<T | { readonly failure: FetchFailure }>,
): Promise<T | { readonly failure: FetchFailure }> {
  if (signal.aborted) return { failure: 'timeout' }
  const over = new AbortController()
  const done = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end, { once: true })
  clock.sleep(ms, done.signal).then(end, () => {})
  const ended = new Promise<{ readonly failure: FetchFailure }>((settle) =>
    over.signal.addEventListener('abort', () => settle({ failure: 'timeout' }), { once: true }),
  )
  try {
    return await Promise.race([work(over.signal), ended])
  } finally {
    signal.removeEventListener('abort', end)
    done.abort()
  }
}

/** Parses a `Retry-After` header, which contains seconds or a date. Returns seconds. */
function secondsOf(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(Math.ceil((at - nowMs) / 1000), 0)
}
