import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SocketEnd } from '@firn/http'
import { WebSocket, WebSocketServer } from 'ws'
import { GatewayError, REFUSALS } from '../GatewayError.ts'
import { type Node, type Nodes, observeForwarded } from '../nodes/Nodes.ts'
import type { GatewayContext } from '../request/Context.ts'
import { asGatewayError, errorBody, isHungUpOn, retryAfter } from '../request/Refused.ts'
import { callerKeys, probeKeys, type Route, routeOf } from '../request/Route.ts'
import type { Counting } from '../usage/Counting.ts'
import { SocketPair } from './SocketPair.ts'
import { limitUnfinished } from './UnfinishedMessage.ts'

/** Handles WebSockets at `/rpc/{chainId}`. */
export interface WebSocketHandler {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** Timeout for opening a WebSocket to a node, in milliseconds. */
const PATIENCE_MS = 10_000
const MOST_TRIES = 3
/** Matches 16 bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/

/** Creates the handler that connects each caller's WebSocket to a WebSocket of a node. */
export function createWebSocketHandler(context: GatewayContext, counting: Counting): WebSocketHandler {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: context.limits.bodyBytes,
    // With compression, a small message could inflate to a large one.
    perMessageDeflate: false,
    // The gateway answers pings itself, because each answer costs a credit.
    autoPong: false,
    clientTracking: true,
  })
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy())
      void open(request, context)
        .then(({ route, far }) => {
          // If the handshake with the caller fails later, the node's WebSocket must be closed too.
          socket.once('close', () => far.terminate())
          if (socket.destroyed) return far.terminate()
          server.handleUpgrade(request, socket, head, (near) => {
            const pair = new SocketPair(near, far, route, context, counting)
            limitUnfinished(near, socket, {
              admission: context.admission,
              patienceMs: context.limits.requestMs,
              onRefused: (reason) => pair.refuseUnfinished(reason),
            })
          })
        })
        .catch((error: unknown) => {
          const refused = asGatewayError(error)
          if (isHungUpOn(refused, probeKeys(request, context), context)) socket.destroy()
          else refuse(socket, refused)
        })
    },
    close() {
      for (const near of server.clients) near.terminate()
      server.close()
    },
  }
}

interface OpenRoute {
  readonly route: Route
  readonly far: WebSocket
}

/** Checks the limits of a caller and opens a WebSocket to a node. */
async function open(request: IncomingMessage, context: GatewayContext): Promise<OpenRoute> {
  const keys = callerKeys(request, context)
  let route: Route | undefined
  let release = () => {}
  try {
    try {
      route = routeOf(request, keys, context)
    } finally {
      release = context.admission.begin(route?.caller ?? { keys, bypass: undefined })
    }
    if (!isHandshake(request))
      throw new GatewayError('GATEWAY_REQUEST', 'expected a WebSocket handshake request')
    return { route, far: await openFar(route.chain.nodes, context) }
  } finally {
    // From now on, the caller's WebSocket counts as a connection and no longer as a request.
    release()
  }
}

/**
 * Returns whether a request is a WebSocket handshake. This must be checked before a connection to a node is
 * opened.
 */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  const key = headers['sec-websocket-key'] ?? ''
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && KEY.test(key)
}

async function openFar(nodes: Nodes, context: GatewayContext): Promise<WebSocket> {
  for (const node of nodes.order().slice(0, MOST_TRIES)) {
    const end = nodes.begin(node)
    const observation = observeForwarded(nodes, node, ['open a WebSocket'])
    const far = await openSocket(node, context)
    observation.end(far === undefined ? 'unreachable' : undefined)
    if (far !== undefined) return far.once('close', end)
    end()
    nodes.failed(node, unreachable())
  }
  throw unreachable()
}

function unreachable(): GatewayError {
  return new GatewayError(
    'GATEWAY_UPSTREAM',
    'no node of this chain accepts WebSockets at the moment; try again later',
  )
}

function openSocket(
  { value: { socketUrl } }: Node,
  { limits }: GatewayContext,
): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const far = new WebSocket(socketUrl, {
      handshakeTimeout: PATIENCE_MS,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
    })
    // Messages that arrive before a listener exists would be lost.
    far.once('upgrade', () => far.pause())
    far.once('open', () => {
      far.off('error', fail)
      resolve(far)
    })
    const fail = () => resolve(undefined)
    far.once('error', fail)
  })
}

function refuse(socket: Duplex, error: GatewayError): void {
  if (socket.destroyed) return
  const { http, counted } = REFUSALS[error.code]
  const body = errorBody(error, undefined)
  const wait = retryAfter(error)
  const headers = [
    `HTTP/1.1 ${http === 200 ? counted : http} Refused`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(wait === undefined ? [] : [`retry-after: ${wait}`]),
    'connection: close',
  ]
  SocketEnd.send(socket, `${headers.join('\r\n')}\r\n\r\n${body}`)
}
