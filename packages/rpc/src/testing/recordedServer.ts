import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exchanges } from './recordings.ts'

/** A server for other origins that repeats the recorded responses of a node. */
export interface RecordedServer {
  readonly url: string
  /** HTTP methods and JSON-RPC methods of the requests so far, such as `POST platform.getHeight`. */
  readonly requests: readonly string[]
  close(): void
}

interface Request {
  readonly id: number
  readonly method: string
  readonly params: unknown
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-expose-headers': 'retry-after',
}
const NO_BATCH =
  '{"jsonrpc":"2.0","error":{"code":-32700,"message":"json: cannot unmarshal array","data":null},"id":null}'

const keyOf = ({ method, params }: Pick<Request, 'method' | 'params'>) =>
  `${method} ${JSON.stringify(params)}`

/**
 * Starts the server on a free port. Its first response to a POST request is status 503 with `Retry-After: 3`. It never
 * responds to `platform.getTimestamp`.
 */
export async function startRecordedServer(): Promise<RecordedServer> {
  const responses = new Map(
    exchanges().map(({ request, response }) => [keyOf(JSON.parse(request) as Request), response] as const),
  )
  const requests: string[] = []
  const answer = (request: Request | readonly unknown[]) => {
    if (!('method' in request)) return NO_BATCH
    return (responses.get(keyOf(request)) ?? '').replace(/"id":\d+\}\n$/, `"id":${request.id}}\n`)
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const body = text === '' ? undefined : (JSON.parse(text) as Request)
    requests.push(`${request.method} ${body?.method ?? ''}`)
    if (body === undefined) return void response.writeHead(204, CORS).end()
    if (requests.filter((one) => one.startsWith('POST')).length === 1)
      return void response.writeHead(503, { ...CORS, 'retry-after': '3' }).end('busy')
    if (body.method === 'platform.getTimestamp') return
    response.writeHead(200, { ...CORS, 'content-type': 'application/json' }).end(answer(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => void server.close().closeAllConnections(),
  }
}
