import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { BoundPort } from '@firn/http'

/** One recorded HTTP exchange with a real node. */
export interface HttpExchange {
  readonly note: string
  readonly httpMethod: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestBody: string | null
  readonly status: number
  readonly contentType: string | null
  readonly responseHeaders: readonly (readonly [string, string])[]
  readonly responseBody: string
}

/** Returns the recorded exchanges that concern the JSON-RPC envelope, paths, hosts and content types. */
export function envelopeExchanges(): readonly HttpExchange[] {
  const file = new URL('../../vectors/envelope.jsonl.gz', import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as HttpExchange)
}

/** Returns the headers of a recorded response in the format of {@link Answer}. */
export function headersOf({ responseHeaders }: HttpExchange): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of responseHeaders) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}

/** Binds a free loopback port with {@link BoundPort.bind}. */
export function freePort(): Promise<BoundPort.BoundPort> {
  return BoundPort.bind({ host: '127.0.0.1', port: 0, flag: '--http-port' })
}

/** An HTTP response. Header names are lowercase, and repeated values are joined by commas. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An HTTP request to send. */
export interface Request {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

/** Sends a request over its own socket, so that the path and headers stay unchanged. */
export function send(
  url: string,
  { path, method = 'POST', headers = {}, body = null }: Request,
): Promise<Answer> {
  const { hostname: host, port } = new URL(url)
  const bytes = Buffer.from(body ?? '')
  const length = body === null ? {} : { 'content-length': String(bytes.length) }
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const options = {
    host,
    port,
    path,
    method,
    headers: { host: '127.0.0.1:9650', ...length, ...own },
    agent: false,
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const received = Object.entries(response.headersDistinct).map(([name, values]) => [
        name,
        values?.join(', ') ?? '',
      ])
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(received),
        body: Buffer.concat(chunks).toString('utf8'),
      })
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}

/** Posts a JSON-RPC body. */
export function post(url: string, path: string, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(url, { path, body: text, headers: { 'content-type': 'application/json' } })
}

/** Calls a method and returns its result. If the method fails, throws an error with its error text. */
export async function call(
  url: string,
  path: string,
  method: string,
  params: unknown = {},
): Promise<unknown> {
  const answer = await post(url, path, { jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = JSON.parse(answer.body) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

/**
 * Writes bytes to a new connection, and writes `later` after the first response bytes arrive. Returns
 * everything received until the connection closes or no more data arrives.
 */
export function raw(
  url: string,
  bytes: string | Uint8Array,
  silenceMs = 300,
  later?: string,
): Promise<string> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) })
    let text = ''
    socket.setTimeout(silenceMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      if (text === '' && later !== undefined) setTimeout(() => socket.write(later), 50)
      text += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? undefined : reject(error),
    )
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })
}
