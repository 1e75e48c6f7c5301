import { isUtf8 } from 'node:buffer'
import { GatewayError } from './GatewayError.ts'
import { isList, isObject, isText, readValue, skipBlanks, textOf, unexpected } from './internal/json.ts'

/** A call of a body. */
export interface Call {
  readonly method: string
  /** The JSON text of its id; undefined of a notification, which nobody answers. */
  readonly id: string | undefined
}

/** What a body asks for; the body itself goes on to a node as it came. */
export interface Calls {
  /** Whether the body is a list, be it of one. */
  readonly isBatch: boolean
  /** At least one. */
  readonly calls: readonly Call[]
}

/** The longest method and id, in bytes. */
const LONGEST = 128

/**
 * Reads what a body asks for. Bodies that a node might read in another way are refused: names that are `method` but for their
 * case, the same member twice, the same id twice, bytes behind the end or that are no UTF-8.
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
    throw new GatewayError('GATEWAY_REQUEST', 'expected each call to have an id of its own, got one twice')
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
    // Nodes find members whatever their case, and the last one of a name.
    const meant = MEMBERS.find((name) => name === fold(key))
    if (meant === undefined) return
    if (meant !== key || seen.has(key)) {
      throw new GatewayError('GATEWAY_REQUEST', `expected one ${meant}, in small letters, got another`)
    }
    seen.add(key)
    if (meant === 'method' || meant === 'id') found[meant] = [from, to]
  })
  if (!isObject(body, start)) throw new GatewayError('GATEWAY_REQUEST', 'expected a call, got another value')
  return [{ method: methodOf(body, found.method), id: idOf(body, found.id) }, end]
}

/** Small letters, as nodes compare names: with the signs that Unicode holds for a k and an s. */
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
