import { isUtf8 } from 'node:buffer'
import { GatewayError } from '../GatewayError.ts'
import { isList, isObject, isText, readValue, skipBlanks, textOf, unexpected } from './json.ts'

/** A JSON-RPC call in a request body. */
export interface Call {
  readonly method: string
  /** JSON text of the call's id. Undefined for a notification, because a notification gets no answer. */
  readonly id: string | undefined
  /** The id in the form of `JSON.stringify`. Ids are compared by it, because a node may format an id differently. */
  readonly key: string | undefined
  /** What `eth_subscribe` subscribes to; undefined for other methods, and without a name. */
  readonly subscription: string | undefined
}

/** Calls in a request body. The body itself is forwarded unchanged. */
export interface Calls {
  /** Whether the body is a list. A list can contain a single call. */
  readonly isBatch: boolean
  /** The calls in the order of the body; at least one. */
  readonly calls: readonly Call[]
}

/** Maximum length of a method name or an id, in bytes. */
const LONGEST = 128

/**
 * Parses the calls in a request body. Rejects bodies that a node might parse differently: member names with
 * unusual case, repeated members, repeated ids, trailing bytes and invalid UTF-8.
 * @throws GatewayError `GATEWAY_PARSE`, `GATEWAY_REQUEST`, `GATEWAY_TOO_LARGE`
 */
export function readCalls(body: Uint8Array, mostCalls: number): Calls {
  if (!isUtf8(body)) throw new GatewayError('GATEWAY_PARSE', 'expected the body to be valid UTF-8')
  const start = skipBlanks(body, 0)
  if (!isList(body, start)) {
    const [call, end] = readCall(body, start)
    assertEnd(body, end)
    return { isBatch: false, calls: [call] }
  }
  const calls: Call[] = []
  const end = readValue(body, start, (from) => {
    if (calls.length >= mostCalls) {
      throw new GatewayError('GATEWAY_TOO_LARGE', `batch contains more than ${mostCalls} calls`)
    }
    calls.push(readCall(body, from)[0])
  })
  assertEnd(body, end)
  if (calls.length === 0)
    throw new GatewayError('GATEWAY_REQUEST', 'expected at least one call, got an empty list')
  const ids = calls.flatMap(({ id, key }) => (id === undefined || id === 'null' ? [] : [key]))
  if (new Set(ids).size < ids.length) {
    throw new GatewayError('GATEWAY_REQUEST', 'expected a different id for each call, got the same id twice')
  }
  return { isBatch: true, calls }
}

function assertEnd(body: Uint8Array, end: number): void {
  const rest = skipBlanks(body, end)
  if (rest < body.length) throw unexpected(body, rest, 'the end of the body')
}

/** Maximum number of members of a call, each of which is decoded. Nodes ignore all but four. */
const MOST_MEMBERS = 64

/** Positions of the first byte of a value and of the byte after it. */
type Span = readonly [start: number, end: number]

const MEMBERS = ['method', 'id', 'params', 'jsonrpc'] as const

function readCall(body: Uint8Array, start: number): readonly [Call, end: number] {
  if (start >= body.length) throw unexpected(body, start, 'a call')
  const found: { method?: Span; id?: Span; params?: Span } = {}
  const seen = new Set<string>()
  let members = 0
  const end = readValue(body, start, (from, to, key) => {
    members += 1
    if (members > MOST_MEMBERS)
      throw new GatewayError('GATEWAY_REQUEST', `expected at most ${MOST_MEMBERS} members in each call`)
    // Nodes ignore the case of member names, and use the last of several members with the same name.
    const meant = MEMBERS.find((name) => name === fold(key))
    if (meant === undefined) return
    if (meant !== key || seen.has(key)) {
      throw new GatewayError('GATEWAY_REQUEST', `expected the member "${meant}" once and in lowercase`)
    }
    seen.add(key)
    if (meant !== 'jsonrpc') found[meant] = [from, to]
  })
  if (!isObject(body, start))
    throw new GatewayError('GATEWAY_REQUEST', 'expected each call to be a JSON object')
  const method = methodOf(body, found.method)
  const id = idOf(body, found.id)
  const key = id === undefined ? undefined : JSON.stringify(JSON.parse(id))
  const subscription = method === 'eth_subscribe' ? subscriptionOf(body, found.params) : undefined
  return [{ method, id, key, subscription }, end]
}

/** Folds the case of a name as nodes do, including the Kelvin sign and the long s. */
function fold(key: string): string {
  return key.length > LONGEST ? key : key.toLowerCase().replaceAll('\u017f', 's').replaceAll('\u212a', 'k')
}

function methodOf(body: Uint8Array, span: Span | undefined): string {
  if (span === undefined || !isText(body, span[0]) || span[1] - span[0] > LONGEST) {
    throw new GatewayError('GATEWAY_REQUEST', `expected "method" to be a string of at most ${LONGEST} bytes`)
  }
  const method = JSON.parse(textOf(body, ...span)) as string
  if (/^[\x21-\x7e]+$/.test(method)) return method
  throw new GatewayError(
    'GATEWAY_REQUEST',
    'expected "method" to contain only printable ASCII characters without spaces',
  )
}

/** Returns the first parameter if it is a string. Nodes reject anything else. */
function subscriptionOf(body: Uint8Array, span: Span | undefined): string | undefined {
  if (span === undefined || !isList(body, span[0])) return undefined
  let first: Span | undefined
  readValue(body, span[0], (from, to) => {
    first ??= [from, to]
  })
  if (first === undefined || !isText(body, first[0])) return undefined
  // The name appears in an error text.
  return (JSON.parse(textOf(body, ...first)) as string).slice(0, LONGEST)
}

function idOf(body: Uint8Array, span: Span | undefined): string | undefined {
  if (span === undefined) return undefined
  const text = textOf(body, ...span)
  if (text.length <= LONGEST && /^(?:["\-0-9]|null$)/.test(text)) return text
  throw new GatewayError(
    'GATEWAY_REQUEST',
    `expected "id" to be null, or a number or string of at most ${LONGEST} bytes`,
  )
}
