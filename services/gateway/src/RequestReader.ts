import { isUtf8 } from 'node:buffer'
import { GatewayError } from './GatewayError.ts'
import { isList, isObject, isText, readValue, skipBlanks, textOf, unexpected } from './internal/json.ts'

/** A call in a body. */
export interface Call {
  readonly method: string
  /** The JSON text of its id; undefined for a notification, which is not answered. */
  readonly id: string | undefined
}

/** The calls of a body; the body itself is forwarded unchanged. */
export interface Calls {
  /** Whether the body is a list, even of one. */
  readonly isBatch: boolean
  /** At least one. */
  readonly calls: readonly Call[]
}

/** Maximum length of method and id, in bytes. */
const LONGEST = 128

/**
 * Reads the calls of a body. Bodies that a node might read differently are rejected: names that equal
 * `method` except for case, a repeated member, a repeated id, trailing bytes, invalid UTF-8.
 * @throws GatewayError `GATEWAY_PARSE`, `GATEWAY_REQUEST`, `GATEWAY_TOO_LARGE`
 */
export function readCalls(body: Uint8Array, mostCalls: number): Calls {
  if (!isUtf8(body)) throw new GatewayError('GATEWAY_PARSE', 'expected UTF-8')
  const start = skipBlanks(body, 0)
  if (!isList(body, start)) {
    const [call, end] = readCall(body, start)
    assertEnd(body, end)
    return { isBatch: false, calls: [call] }
  }
  const calls: Call[] = []
  const end = readValue(body, start, (from) => {
    if (calls.length >= mostCalls) {
      throw new GatewayError('GATEWAY_TOO_LARGE', `expected at most ${mostCalls} calls, got more`)
    }
    calls.push(readCall(body, from)[0])
  })
  assertEnd(body, end)
  if (calls.length === 0) throw new GatewayError('GATEWAY_REQUEST', 'expected a call, got an empty list')
  const ids = calls.flatMap(({ id }) => (id === undefined || id === 'null' ? [] : [id]))
  if (new Set(ids).size < ids.length) {
    throw new GatewayError('GATEWAY_REQUEST', 'each call needs an id of its own, but one occurs twice')
  }
  return { isBatch: true, calls }
}

function assertEnd(body: Uint8Array, end: number): void {
  const rest = skipBlanks(body, end)
  if (rest < body.length) throw unexpected(body, rest, 'the end')
}

const MEMBERS = ['method', 'id', 'params', 'jsonrpc'] as const

function readCall(body: Uint8Array, start: number): readonly [Call, end: number] {
  if (start >= body.length) throw unexpected(body, start, 'a call')
  const found: { method?: readonly [number, number]; id?: readonly [number, number] } = {}
  const seen = new Set<string>()
  const end = readValue(body, start, (from, to, key) => {
    // Nodes ignore the case of member names, and take the last of several.
    const meant = MEMBERS.find((name) => name === fold(key))
    if (meant === undefined) return
    if (meant !== key || seen.has(key)) {
      throw new GatewayError('GATEWAY_REQUEST', `expected ${meant} once and in lower case`)
    }
    seen.add(key)
    if (meant === 'method' || meant === 'id') found[meant] = [from, to]
  })
  if (!isObject(body, start)) throw new GatewayError('GATEWAY_REQUEST', 'expected a call, got another value')
  return [{ method: methodOf(body, found.method), id: idOf(body, found.id) }, end]
}

/** Folds case as nodes do when they compare names, including the Kelvin sign and the long s. */
function fold(key: string): string {
  return key.length > LONGEST ? key : key.toLowerCase().replaceAll('\u017f', 's').replaceAll('\u212a', 'k')
}

function methodOf(body: Uint8Array, span: readonly [number, number] | undefined): string {
  if (span === undefined || !isText(body, span[0]) || span[1] - span[0] > LONGEST) {
    throw new GatewayError('GATEWAY_REQUEST', `expected a method of at most ${LONGEST} bytes`)
  }
  const method = JSON.parse(textOf(body, ...span)) as string
  if (/^[\x21-\x7e]+$/.test(method)) return method
  throw new GatewayError('GATEWAY_REQUEST', 'expected a method of printable characters')
}

function idOf(body: Uint8Array, span: readonly [number, number] | undefined): string | undefined {
  if (span === undefined) return undefined
  const text = textOf(body, ...span)
  if (text.length <= LONGEST && /^(?:["\-0-9]|null$)/.test(text)) return text
  throw new GatewayError(
    'GATEWAY_REQUEST',
    `expected an id that is a text or a number of at most ${LONGEST} bytes`,
  )
}
