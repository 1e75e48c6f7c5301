import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { SocketEnd } from '@firn/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { DataApiError, type DataApiErrorCode, isDataApiError } from './endpoint/DataApiError.ts'

/** WebSockets of a server. Their handshakes are routed like other requests, so the same checks apply. */
export interface Sockets {
  /** Returns whether a request is the handshake of a WebSocket. */
  isHandshake(request: IncomingMessage): boolean
  /** Accepts a handshake, and sends the frames until they end. */
  accept(
    request: FastifyRequest,
    reply: FastifyReply,
    frames: AsyncIterable<string>,
    slow: { readonly patienceMs: number; readonly onSlow: () => void },
  ): FastifyReply
}

/** Callers need to send nothing. */
const MAX_PAYLOAD = 4_096
/** Time in milliseconds for a caller to answer the end of a WebSocket. */
const FAREWELL_MS = 1_000
const HEARTBEAT_MS = 15_000
/** Subprotocol of callers that cannot send headers. Besides it, they offer their key as if it were a subprotocol. */
const PROTOCOL = 'firn'
const OFFERED_KEY = /(?:^|,)\s*(firn_[A-Za-z0-9_-]{48})\s*(?:,|$)/

/** Status codes of closed WebSockets (RFC 6455): 1008 if connecting again is of no use, 1013 if it is. */
const CLOSE_CODES: { readonly [Code in DataApiErrorCode]?: number } = {
  DATA_KEY: 1008,
  DATA_GONE: 1008,
  DATA_NOT_FOUND: 1008,
  DATA_RATE_LIMIT: 1013,
  DATA_UNAVAILABLE: 1013,
}
const CODES = { goingAway: 1001, defect: 1011, tryAgain: 1013 } as const

/**
 * Returns whether a request may change the protocol of its connection. Others, such as requests of clients that offer HTTP/2
 * without TLS, are answered as if they did not ask for it.
 */
export const shouldUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/** Adds WebSockets to a server. `isClosing` returns whether the service is shutting down. */
export function addSockets(server: FastifyInstance, isClosing: () => boolean): Sockets {
  const handshakes = new WeakMap<IncomingMessage, { readonly socket: Duplex; readonly head: Buffer }>()
  const websockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  server.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const offered = OFFERED_KEY.exec(request.headers['sec-websocket-protocol'] ?? '')?.[1]
    if (offered !== undefined) request.headers['x-data-api-key'] ??= offered
    handshakes.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.once('finish', () => SocketEnd.send(socket))
    server.routing(request, response)
  })
  return {
    isHandshake: (request) => handshakes.has(request) && shouldUpgrade(request),
    accept(request, reply, frames, slow) {
      const handshake = handshakes.get(request.raw)
      if (handshake === undefined)
        throw new DataApiError('DATA_PARAMETER', 'expected the handshake of a WebSocket')
      const { socket, head } = handshake
      reply.hijack()
      reply.raw.detachSocket(socket as never)
      reply.raw.statusCode = 101
      // The handlers of the request learn of the end of the connection from its response.
      socket.once('close', () => {
        reply.raw.emit('finish')
        reply.raw.emit('close')
      })
      websockets.handleUpgrade(request.raw, socket, head, (websocket) => {
        void send(websocket, frames, slow, isClosing)
      })
      return reply
    },
  }
}

/** Sends frames one after another, and closes the WebSocket with the reason of their end. */
async function send(
  websocket: WebSocket,
  frames: AsyncIterable<string>,
  { patienceMs, onSlow }: Parameters<Sockets['accept']>[3],
  isClosing: () => boolean,
): Promise<void> {
  const stopped = keepAlive(websocket)
  try {
    for await (const frame of frames) {
      if (await within(patienceMs, (done) => websocket.send(frame, done))) continue
      onSlow()
      return close(websocket, CODES.tryAgain, 'too slow; connect again with the last cursor')
    }
    close(websocket, CODES.goingAway, 'the stream has ended')
  } catch (error) {
    if (!isDataApiError(error)) close(websocket, CODES.defect, 'internal error; connect again')
    else {
      const code = isClosing() ? CODES.goingAway : (CLOSE_CODES[error.code] ?? CODES.defect)
      close(websocket, code, error.message)
    }
  } finally {
    stopped()
  }
}

/** Returns whether a frame was written in time. */
function within(ms: number, write: (done: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    write(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Pings a WebSocket, and terminates it if the caller does not answer. */
function keepAlive(websocket: WebSocket): () => void {
  let isAlive = true
  websocket.on('pong', () => {
    isAlive = true
  })
  websocket.on('error', () => websocket.terminate())
  const timer = setInterval(() => {
    if (!isAlive) return websocket.terminate()
    isAlive = false
    websocket.ping()
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

/** Maximum number of bytes of the reason of a close frame. */
const MOST_REASON = 123

function close(websocket: WebSocket, code: number, reason: string): void {
  const bytes = Buffer.from(reason)
  websocket.close(
    code,
    bytes.length > MOST_REASON ? bytes.subarray(0, MOST_REASON).toString('latin1') : reason,
  )
  setTimeout(() => websocket.terminate(), FAREWELL_MS).unref()
}
