import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { reset } from './SocketEnd.ts'

/** The unanswered requests of a connection. */
interface Unanswered {
  started: number
  readonly waiting: (() => void)[]
}

/** Limits of the requests that a client sends on one connection before it has the answers. */
export interface PipeliningLimits {
  /** Maximum number of requests that are handled at the same time. */
  readonly started: number
  /** Maximum number of requests that wait for their turn. Further ones are refused; as many again end the connection. */
  readonly waiting: number
}

const BODY = JSON.stringify({
  message: 'too many unanswered requests on one connection; wait for answers, or open more connections',
  error: 'Service Unavailable',
  statusCode: 503,
})
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'retry-after': '1',
  connection: 'close',
} as const

/**
 * Limits the unanswered requests of each connection. Node.js starts all requests that arrive together, more than a
 * thousand in 64 KB, and holds their answers in memory until the client reads them.
 */
export function limit(server: Server, limits: PipeliningLimits, onRefused: () => void): void {
  const connections = new WeakMap<Socket, Unanswered>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const own = connections.get(socket) ?? { started: 0, waiting: [] }
    connections.set(socket, own)
    const start = () => {
      own.started++
      response.once('close', () => {
        own.started--
        if (!socket.destroyed) own.waiting.shift()?.()
      })
      for (const handler of handlers) Reflect.apply(handler, server, [request, response])
    }
    if (own.started < limits.started) return start()
    if (own.waiting.length < limits.waiting) return void own.waiting.push(start)
    if (own.waiting.length === limits.waiting) onRefused()
    // Node.js reads no further requests after this answer, but before it any number.
    if (own.waiting.length >= 2 * limits.waiting) return reset(socket)
    own.waiting.push(() => response.writeHead(503, HEADERS).end(BODY))
  })
}
