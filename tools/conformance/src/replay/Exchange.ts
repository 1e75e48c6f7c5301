import type { RawCase } from '../Case.ts'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import * as JsonText from './JsonText.ts'

/** A name and a value. */
export type Header = readonly [name: string, value: string]

/** What a client sent to a node. */
export interface Request {
  readonly httpMethod: string
  /** With the query, as it stood in the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: none was sent. */
  readonly body: string | undefined
}

/** What came back. */
export interface Answer {
  readonly status: number
  /** In the order on the wire; a name may occur more than once. */
  readonly headers: readonly Header[]
  readonly body: string
}

/** A request that was sent to a real node, and its answer. */
export interface Exchange {
  /** What the recording calls it. */
  readonly name: string
  /** The port of the node, which tells the nodes of a recorded network apart. */
  readonly port: number
  /** The JSON-RPC method, or HTTP method and path where the body names none. */
  readonly method: string
  /** The argument object of the call; undefined where there is none. */
  readonly argument: JsonText.JsonText | undefined
  readonly request: Request
  readonly answer: Answer
}

/** Labels: the group is the file's name, and what the body holds stands in front of it again. */
const LABELS = ['group', 'note', 'method', 'params'] as const

function headersOf(it: Case.Case): Record<string, string> {
  const headers = Case.given(it, 'headers')
  if (typeof headers === 'object' && headers !== null) return headers as Record<string, string>
  throw new ConformanceError('CONFORMANCE_CASE', 'expected headers as a record')
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

/** The method that a request calls, and its argument. */
export function callOf({ httpMethod, path, body }: Request): Pick<Exchange, 'method' | 'argument'> {
  const call = parsed(body)
  const params = JsonText.member(call, 'params')
  const argument = params?.kind === 'array' ? params.elements[0] : params
  const method = JsonText.textOf(JsonText.member(call, 'method'))
  const isCall = httpMethod === 'POST' && method !== undefined && method !== ''
  return { method: isCall ? method : `${httpMethod} ${path.split('?')[0]}`, argument }
}

/**
 * The exchange of one recorded line.
 * @throws ConformanceError `CONFORMANCE_CASE` when a field is missing, of another form or unknown
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
    throw new ConformanceError('CONFORMANCE_CASE', 'expected a content type that stands among the headers')
  const [field] = Case.unread(it)
  if (field !== undefined)
    throw new ConformanceError('CONFORMANCE_CASE', `expected no field of the name ${field}`)
  return { name: Case.has(it, 'note') ? Case.text(it, 'note') : call.method, port, ...call, request, answer }
}

/** The first value of a header; undefined when the answer has none. `name` in lower case. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([found]) => found.toLowerCase() === name)?.[1]
}
