import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callOf, type Exchange, type Header } from './Exchange.ts'
import * as JsonText from './JsonText.ts'

/** An HTTP server that sends recorded responses. */
export interface RecordedServer {
  readonly port: number
  /** URL of the server (`http://127.0.0.1:…`). */
  readonly url: string
  /** Returns the exchanges whose responses were sent. */
  readonly answered: () => ReadonlySet<Exchange>
  /**
   * Returns the requests for known paths that were not recorded. They get status 501, while requests for
   * unknown paths get the node's 404.
   */
  readonly unknown: () => readonly string[]
  close(): Promise<void>
}

/** Response of a node for an unknown path. */
const NOT_FOUND = {
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
}

interface Entry {
  readonly exchange: Exchange
  isServed: boolean
}

/** Returns the key of a request. It ignores the id and the white space of a JSON-RPC call. */
function keyOf(httpMethod: string, path: string, body: string | undefined): string {
  const { method, argument } = callOf({ httpMethod, path, headers: {}, body })
  const isCall = argument !== undefined || !method.includes(' ')
  return [httpMethod, path, method, isCall ? argument && JsonText.format(argument) : body].join('\n')
}

/**
 * Returns a recorded body with the id of the current request. The body is unchanged if the id is the recorded
 * id.
 */
function withIdOf(body: string, request: string, recorded: string | undefined): string {
  try {
    const id = JsonText.member(JsonText.parse(request), 'id')
    const before = JsonText.member(JsonText.parse(recorded ?? ''), 'id')
    if (id === undefined || (before && JsonText.format(before)) === JsonText.format(id)) return body
    const answer = JsonText.parse(body)
    if (answer.kind !== 'object') return body
    const members = answer.members.map((it) => (it.name === '"id"' ? { ...it, value: id } : it))
    return JsonText.format({ kind: 'object', members }) + (body.endsWith('\n') ? '\n' : '')
  } catch {
    return body
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns the recorded headers, with the Content-Length adjusted to the body that is sent. For a HEAD
 * request, all headers are unchanged.
 */
function headersOf(exchange: Exchange, body: string): readonly Header[] {
  if (exchange.request.httpMethod === 'HEAD') return exchange.answer.headers
  return exchange.answer.headers.map(([name, value]) =>
    name.toLowerCase() === 'content-length' ? [name, String(Buffer.byteLength(body))] : [name, value],
  )
}

/**
 * Starts a server of recorded responses on a free loopback port. Repeated requests get their responses in
 * recorded order, and afterwards the last response again.
 */
export async function start(exchanges: readonly Exchange[]): Promise<RecordedServer> {
  const entries = new Map<string, Entry[]>()
  for (const exchange of exchanges) {
    const key = keyOf(exchange.request.httpMethod, exchange.request.path, exchange.request.body)
    entries.set(key, [...(entries.get(key) ?? []), { exchange, isServed: false }])
  }
  const paths = new Set(exchanges.map(({ request }) => request.path))
  const unknown: string[] = []
  const answered = new Set<Exchange>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const key = keyOf(request.method ?? '', request.url ?? '', body === '' ? undefined : body)
    const known = entries.get(key) ?? []
    const entry = known.find(({ isServed }) => !isServed) ?? known.at(-1)
    response.sendDate = false
    if (entry === undefined) {
      const isKnownPath = paths.has(request.url ?? '')
      if (isKnownPath) unknown.push(key)
      if (isKnownPath) response.writeHead(501).end()
      else response.writeHead(404, NOT_FOUND.headers).end(NOT_FOUND.body)
      return
    }
    answered.add(entry.exchange)
    entry.isServed = true
    const text = withIdOf(entry.exchange.answer.body, body, entry.exchange.request.body)
    response.writeHead(entry.exchange.answer.status, headersOf(entry.exchange, text).flat())
    response.end(text)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    answered: () => answered,
    unknown: () => unknown,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
