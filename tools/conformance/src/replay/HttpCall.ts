import { Agent, type IncomingMessage, request } from 'node:http'
import type { Answer, Header, Request } from './Exchange.ts'

/** Sends requests to one address over keep-alive connections. */
export interface Caller {
  /** Sends a recorded request with its path, headers and body byte for byte, and returns the response. */
  call(request: Request, signal?: AbortSignal): Promise<Answer>
  close(): void
}

/** Creates a caller for the HTTP server on `port` of this machine. */
export function create(port: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    call: (it, signal) => send(it, port, agent, signal),
    close: () => agent.destroy(),
  }
}

function send(it: Request, port: number, agent: Agent, signal: AbortSignal | undefined): Promise<Answer> {
  const body = it.body === undefined ? undefined : Buffer.from(it.body)
  // The recordings were made with Python's http.client. It sends the Content-Length of each body, and a
  // Content-Length of 0 for a PUT without a body.
  const hasLength = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(it.httpMethod)
  const length = hasLength ? { 'Content-Length': String(body?.length ?? 0) } : {}
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      agent,
      method: it.httpMethod,
      path: it.path,
      headers: { 'Accept-Encoding': 'identity', ...length, ...it.headers },
      ...(signal === undefined ? {} : { signal }),
    })
    sent.on('error', reject)
    sent.on('response', (response) => read(response).then(resolve, reject))
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const headers: Header[] = []
  for (let index = 0; index + 1 < response.rawHeaders.length; index += 2) {
    headers.push([response.rawHeaders[index] as string, response.rawHeaders[index + 1] as string])
  }
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') }
}
