import type { RawCase } from '../Case.ts'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import * as JsonText from './JsonText.ts'

/** A name and a value. */
export type Header = readonly [name: string, value: string]

/** A recorded request. */
export interface Request {
  readonly httpMethod: string
  /** With the query, exactly as in the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if no body was sent. */
  readonly body: string | undefined
}

/** A recorded response. */
export interface Answer {
  readonly status: number
  /** In wire order; a name may occur more than once. */
  readonly headers: readonly Header[]
  readonly body: string
}

/** A request to a real node, and its response. */
export interface Exchange {
  /** Its name in the recording. */
  readonly name: string
  /** The port of the node, which identifies the nodes of a recorded network. */
  readonly port: number
  /** The JSON-RPC method, or HTTP method and path if the body has none. */
  readonly method: string
  /** The parameter object of the call; undefined if there is none. */
  readonly argument: JsonText.JsonText | undefined
  readonly request: Request
  readonly answer: Answer
}

/** Labels: the group is the file's name, and the others repeat parts of the body. */
const LABELS = ['group', 'note', 'method', 'params'] as const

function headersOf(it: Case.Case): Record<string, string> {
  const headers = Case.given(it, 'headers')
  if (typeof headers === 'object' && headers !== null) return headers as Record<string, string>
  throw new ConformanceError('CONFORMANCE_CASE', 'headers must be a record')
}

function textOrNone(it: Case.Case, field: string): string | undefined {
  if (it.raw[field] !== null) return Case.text(it, field)
  Case.ignore(it, field)
  return undefined
}

function parsed(body: string | undefined): JsonText.JsonText | undefined {
  try {
    return body === undefined ? undefined : JsonText.parse(body)
  } catch {
    return undefined
  }
}

/** Returns the method and parameters of a request. */
export function callOf({ httpMethod, path, body }: Request): Pick<Exchange, 'method' | 'argument'> {
  const call = parsed(body)
  const params = JsonText.member(call, 'params')
  const argument = params?.kind === 'array' ? params.elements[0] : params
  const method = JsonText.textOf(JsonText.member(call, 'method'))
  const isCall = httpMethod === 'POST' && method !== undefined && method !== ''
  return { method: isCall ? method : `${httpMethod} ${path.split('?')[0]}`, argument }
}

/**
 * Returns the exchange of one recorded line.
 * @throws ConformanceError `CONFORMANCE_CASE` if a field is missing, unknown or has an unexpected form
 */
export function fromLine(raw: RawCase): Exchange {
  const it = Case.create(raw)
  const request = {
    httpMethod: Case.has(it, 'httpMethod') ? Case.text(it, 'httpMethod') : 'POST',
    path: Case.text(it, 'path'),
    headers: headersOf(it),
    body: textOrNone(it, 'requestBody'),
  }
  const answer = {
    status: Case.number(it, 'status'),
    headers: Case.list(it, 'responseHeaders') as readonly Header[],
    body: Case.text(it, 'responseBody'),
  }
  const port = Case.number(it, 'port')
  const call = callOf(request)
  Case.ignore(it, ...LABELS)
  const type = textOrNone(it, 'contentType')
  if (type !== headerOf(answer, 'content-type'))
    throw new ConformanceError('CONFORMANCE_CASE', 'expected a contentType that matches the headers')
  const [field] = Case.unread(it)
  if (field !== undefined) throw new ConformanceError('CONFORMANCE_CASE', `unknown field ${field}`)
  return { name: Case.has(it, 'note') ? Case.text(it, 'note') : call.method, port, ...call, request, answer }
}

/** Returns the first value of a header; undefined if it is missing. `name` in lower case. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([found]) => found.toLowerCase() === name)?.[1]
}
