import { foldName, Json } from '@firn/codec'
import { GoJson, goQuote } from '@firn/http'
import { Schema } from '@firn/rpc'

const { isObject, NumberToken } = Schema

/** The error member of a response; `data` is JSON text. */
export interface Failure {
  readonly code: number
  readonly message: string
  readonly data: string
}

/** A decoded request. `params` is a parsed JSON value. `id` is JSON text, or undefined for a notification. */
export interface Request {
  readonly method: string
  readonly params: unknown
  readonly id: string | undefined
}

/** The result of decoding a body. */
export type Decoded =
  | { readonly kind: 'request'; readonly request: Request }
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly id: string | undefined
      readonly answered: boolean
    }

/** Maximum size of a body that an error repeats, in bytes. The node repeats bodies of any size. */
const MAX_ECHOED = 1_048_576
const EMPTY_ECHO = '{"jsonrpc":"","method":"","params":null,"id":null}'

/**
 * Decodes the request in a body; returns the node's error response if it is invalid. Source: gorilla/rpc
 * json2.
 */
export function decodeRequest(body: Uint8Array): Decoded {
  const parsed = tryParse(body)
  if (parsed instanceof GoJson.GoJsonError) return parseFailure(parsed.text, EMPTY_ECHO, undefined)
  const { value } = parsed
  if (value !== null && !isObject(value)) {
    return parseFailure(
      `json: cannot unmarshal ${kind(value)} into Go value of type json2.serverRequest`,
      EMPTY_ECHO,
      undefined,
    )
  }
  const envelope = readMembers(parsed)
  const data = () => (body.length > MAX_ECHOED ? 'null' : echo(envelope))
  if (envelope.typeError !== undefined) return parseFailure(envelope.typeError, data(), envelope.id)
  if (envelope.jsonrpc !== '2.0') {
    const failure = { code: -32600, message: 'jsonrpc must be 2.0', data: data() }
    return { kind: 'failure', failure, id: envelope.id, answered: envelope.id !== undefined }
  }
  const { method, params, id } = envelope
  return { kind: 'request', request: { method, params, id } }
}

function tryParse(body: Uint8Array): GoJson.Parsed | GoJson.GoJsonError {
  try {
    return GoJson.parseFirst(body, FIELD)
  } catch (error) {
    if (error instanceof GoJson.GoJsonError) return error
    throw error
  }
}

function parseFailure(message: string, data: string, id: string | undefined): Decoded {
  return { kind: 'failure', failure: { code: -32700, message, data }, id, answered: true }
}

interface Envelope extends Request {
  readonly jsonrpc: string
  readonly rawParams: () => string | undefined
  readonly typeError: string | undefined
}

const FIELD = /^(?:jsonrpc|method|params|id)$/iu

/**
 * Returns the members of the envelope. Like Go's decoder, it ignores the case of names, and uses the last of
 * several members with the same name.
 */
function readMembers({ members }: GoJson.Parsed): Envelope {
  const texts = { jsonrpc: '', method: '' }
  let typeError: string | undefined
  let params: GoJson.Member | undefined
  let id: GoJson.Member | undefined
  for (const member of members) {
    const { value } = member
    const field = foldName(member.name)
    if (field === 'jsonrpc' || field === 'method') {
      if (typeof value === 'string') texts[field] = value
      else if (value !== null) typeError ??= fieldError(field, value)
    }
    if (field === 'params') params = member
    if (field === 'id') id = value === null ? undefined : member
  }
  return { ...texts, params: params?.value, rawParams: () => params?.text(), id: id?.text(), typeError }
}

function fieldError(field: string, value: unknown): string {
  return `json: cannot unmarshal ${kind(value)} into Go struct field serverRequest.${field} of type string`
}

function kind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value instanceof NumberToken) return 'number'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'object'
}

function echo(envelope: Envelope): string {
  const { jsonrpc, method, rawParams, id } = envelope
  return `{"jsonrpc":${Json.stringify(jsonrpc)},"method":${Json.stringify(method)},"params":${rawParams() ?? 'null'},"id":${id ?? 'null'}}`
}

/**
 * Returns a function that returns undefined for a known method, and the node's error text for an unknown
 * method.
 */
export function createResolver(methods: readonly string[]): (name: string) => string | undefined {
  const known = new Set(methods)
  const services = new Set(methods.map((name) => name.split('.')[0]))
  return (name) => (known.has(name) ? undefined : refusalOf(name, services))
}

function refusalOf(name: string, services: ReadonlySet<string | undefined>): string {
  const [service, method, ...more] = name.split('.')
  if (method !== undefined && /^\p{Lu}/u.test(method)) return 'method must start with a non-uppercase letter'
  const shown = goQuote(method === undefined ? name : upperCased(name))
  if (method === undefined || more.length > 0) return `rpc: service/method request ill-formed: ${shown}`
  return services.has(service) ? `rpc: can't find method ${shown}` : `rpc: can't find service ${shown}`
}

function upperCased(name: string): string {
  const dot = name.indexOf('.')
  return name.slice(0, dot + 1) + name.slice(dot + 1, dot + 2).toUpperCase() + name.slice(dot + 2)
}
