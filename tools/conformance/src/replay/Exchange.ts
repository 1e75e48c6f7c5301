import type { RawCase } from '../Case.ts'
import * as Case from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import * as JsonText from './JsonText.ts'

/** Name and value of a header. */
export type Header = readonly [name: string, value: string]

/** A recorded request. */
export interface Request {
  readonly httpMethod: string
  /** Path with the query, exactly as in the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Request body; undefined if no body was sent. */
  readonly body: string | undefined
}

/** A recorded response. */
export interface Answer {
  readonly status: number
  /** Headers in wire order. A name may occur more than once. */
  readonly headers: readonly Header[]
  readonly body: string
}

/** A request to a real node and its response. */
export interface Exchange {
  /** Name of the exchange in the recording. */
  readonly name: string
  /** Port of the node, which identifies the nodes of a recorded network. */
  readonly port: number
  /** The JSON-RPC method, or the HTTP method and the path if the body contains no method. */
  readonly method: string
  /** Parameter object of the call; undefined if there is none. */
  readonly argument: JsonText.JsonText | undefined
  readonly request: Request
  readonly answer: Answer
}

/**
 * Fields that are not compared: the group is the file's name, and the other fields repeat parts of the body.
 */
const LABELS = ['group', 'note', 'method', 'params'] as const

function headersOf(it: Case.Case): Record<string, string> {
  const headers = Case.given(it, 'headers')
  if (typeof headers === 'object' && headers !== null) return headers as Record<string, string>
  throw new ConformanceError(
    'CONFORMANCE_CASE',
    `headers: expected a JSON object, got ${JSON.stringify(headers)}`,
  )
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

/** Returns the method and the parameters of a request. */
export function callOf({ httpMethod, path, body }: Request): Pick<Exchange, 'method' | 'argument'> {
  const call = parsed(body)
  const params = JsonText.member(call, 'params')
  const argument = params?.kind === 'array' ? params.elements[0] : params
  const method = JsonText.textOf(JsonText.member(call, 'method'))
  const isCall = httpMethod === 'POST' && method !== undefined && method !== ''
  return { method: isCall ? method : `${httpMethod} ${path.split('?')[0]}`, argument }
}

/**
 * Parses the exchange in a recorded line.
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
    throw new ConformanceError('CONFORMANCE_CASE', 'contentType: expected the same value as in the headers')
  const [field] = Case.unread(it)
  if (field !== undefined) throw new ConformanceError('CONFORMANCE_CASE', `unknown field ${field}`)
  return { name: Case.has(it, 'note') ? Case.text(it, 'note') : call.method, port, ...call, request, answer }
}

/** Returns the first value of a header, or undefined if it is missing. `name` must be lowercase. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([found]) => found.toLowerCase() === name)?.[1]
}
