import { posix } from 'node:path'

/** The HTTP rules that a node applies before it calls a method. They depend only on the head of a request. */
export interface Rules {
  /** Applies the rules to the head of a request and returns the decision. */
  judge(head: Head): Ruling
}

/** The parts of a request's head that the rules use. */
export interface Head {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * Decision of the rules: response headers as a flat list of names and values, and a `refusal` if the request
 * must not be processed further.
 */
export interface Ruling {
  readonly headers: readonly string[]
  readonly refusal?: Refusal
}

/** Response to a request that is rejected before any method is called. */
export interface Refusal {
  readonly status: number
  readonly body: string
  /** Additional headers as a flat list of names and values. */
  readonly headers?: readonly string[]
}

/** Options of {@link create}. */
export interface RulesOptions {
  /** `NodeID-…`, sent in the header `Node-Id` of every response. */
  readonly nodeId: string
  /**
   * Origins that browsers may call from. Each origin may contain one `*` as a wildcard. Defaults to `['*']`.
   */
  readonly allowedOrigins?: readonly string[]
  /**
   * Accepted values of the `Host` header besides IP addresses. Defaults to `['localhost']`; `'*'` accepts all
   * hosts.
   */
  readonly allowedHosts?: readonly string[]
}

/** Content types of plain-text responses and of JSON-RPC responses. */
export const TEXT_TYPE = 'text/plain; charset=utf-8'
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The response for an unknown path. */
export const NOT_FOUND: Refusal = { status: 404, body: '404 page not found\n' }

const INVALID_HOST: Refusal = { status: 403, body: 'invalid host specified\n' }
const NOTHING: Refusal = { status: 200, body: '' }
/**
 * Methods that the node's CORS rules allow. The node lists the first three; OPTIONS is allowed in addition.
 */
const ALLOWED_METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS']
const ALLOWED_HEADERS = ['origin', 'accept', 'content-type', 'x-requested-with']

/**
 * Returns the rules of one server.
 * @example
 * ```ts
 * import { HttpRules } from '@firn/node-api'
 *
 * const rules = HttpRules.create({ nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' })
 * rules.judge({ method: 'POST', headers: { host: 'example.com' } }).refusal?.status // 403
 * ```
 */
export function create(options: RulesOptions): Rules {
  const origins = options.allowedOrigins ?? ['*']
  const hosts = options.allowedHosts ?? ['localhost']
  const always = ['Node-Id', options.nodeId]
  const usual: Ruling = { headers: [...always, 'Vary', 'Origin'] }
  /** The last accepted host. It is cached because almost all requests have the same host. */
  let servedHost = ''
  const isServed = (host: string): boolean => {
    if (host === servedHost) return true
    if (!isHostServed(host, hosts)) return false
    servedHost = host
    return true
  }
  return {
    judge({ method, headers }) {
      const requestedMethod = text(headers['access-control-request-method'])
      if (method === 'OPTIONS' && requestedMethod !== '') {
        return {
          headers: [...always, ...preflight(headers, requestedMethod.toUpperCase(), origins)],
          refusal: NOTHING,
        }
      }
      const served = isServed(text(headers['host']))
      const origin = text(headers['origin'])
      if (served && origin === '') return usual
      const ruled = { headers: [...usual.headers, ...allowOrigin(origin, origins, method)] }
      return served ? ruled : { ...ruled, refusal: INVALID_HOST }
    },
  }
}

function text(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/**
 * Returns the response to a CORS preflight, always with status 200 and without a host check. Disallowed
 * requests get no Access-Control headers.
 */
function preflight(headers: Head['headers'], method: string, origins: readonly string[]): string[] {
  const vary = ['Origin', 'Access-Control-Request-Method', 'Access-Control-Request-Headers'].flatMap(
    (name) => ['Vary', name],
  )
  const names = text(headers['access-control-request-headers'])
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const allowed = allowOrigin(text(headers['origin']), origins, method)
  if (allowed.length === 0 || !names.every((name) => ALLOWED_HEADERS.includes(name))) return vary
  const asked = names.length > 0 ? ['Access-Control-Allow-Headers', names.map(canonicalName).join(', ')] : []
  return [...vary, ...allowed, 'Access-Control-Allow-Methods', method, ...asked]
}

function allowOrigin(origin: string, origins: readonly string[], method: string): string[] {
  const any = origins.includes('*')
  if (origin === '' || !ALLOWED_METHODS.includes(method)) return []
  if (!any && !origins.some((allowed) => isOrigin(allowed.toLowerCase(), origin.toLowerCase()))) return []
  return ['Access-Control-Allow-Origin', any ? '*' : origin, 'Access-Control-Allow-Credentials', 'true']
}

/**
 * Returns whether an origin matches an allowed origin, which may contain one `*` as a wildcard, as in
 * `https://*.example.com`.
 */
function isOrigin(allowed: string, origin: string): boolean {
  const star = allowed.indexOf('*')
  if (star < 0) return allowed === origin
  const [start, end] = [allowed.slice(0, star), allowed.slice(star + 1)]
  return origin.length >= start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
}

function canonicalName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}

function isHostServed(host: string, hosts: readonly string[]): boolean {
  if (host === '' || hosts.includes('*')) return true
  const name = host.replace(/:[0-9]*$/, '').toLowerCase()
  const isIp = /^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(name) || /^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/.test(name)
  return isIp || hosts.some((allowed) => allowed.toLowerCase() === name)
}

/**
 * Returns the response of a JSON-RPC endpoint to a request that is not a POST of JSON. Returns undefined for
 * an acceptable request.
 * @example
 * ```ts
 * import { HttpRules } from '@firn/node-api'
 *
 * HttpRules.serviceRefusal('GET', undefined)?.status // 405
 * HttpRules.serviceRefusal('POST', 'application/json') // undefined
 * ```
 */
export function serviceRefusal(method: string, contentType: string | undefined): Refusal | undefined {
  if (method !== 'POST') return { status: 405, body: `rpc: POST method required, received ${method}` }
  if (contentType === 'application/json') return undefined
  const [type = ''] = (contentType ?? '').split(';')
  if (type.toLowerCase() === 'application/json') return undefined
  return { status: 415, body: `rpc: unrecognized Content-Type: ${type}` }
}

/** The target of a request: the cleaned, percent-decoded path, or a redirect. */
export type Target =
  | { readonly path: string }
  | { readonly location: string }
  /** Undefined if a percent escape in the request target is invalid. */
  | undefined

/**
 * Parses the target of a request line. A path with `//`, `.` or `..` is redirected to its clean form, and the
 * query is kept.
 * @example
 * ```ts
 * import { HttpRules } from '@firn/node-api'
 *
 * HttpRules.targetOf('/ext//bc/P?a=1') // { location: '/ext/bc/P?a=1' }
 * ```
 */
export function targetOf(url: string): Target {
  const mark = url.indexOf('?')
  const raw = (mark < 0 ? url : url.slice(0, mark)).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  const path = percentDecode(raw)
  if (path === undefined) return undefined
  const cleaned = posix.normalize(path.startsWith('/') ? path : `/${path}`)
  if (cleaned === path) return { path }
  return { location: percentEncode(cleaned) + (mark < 0 ? '' : url.slice(mark)) }
}

function percentDecode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  // A path can have a megabyte, so the bytes are decoded in place.
  const bytes = Buffer.from(raw, 'utf8')
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] as number
    if (byte === PERCENT) {
      byte = (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2])
      if (byte < 0) return undefined
      at += 2
    }
    bytes[length++] = byte
  }
  return bytes.toString('utf8', 0, length)
}

const PERCENT = 0x25

/** Returns the value of a hexadecimal digit, or a negative number for another character. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** Encodes a path as Go's `url.URL` does. */
function percentEncode(path: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURI(path.toWellFormed()).replace(/[?#!'()*]/g, hex)
}
