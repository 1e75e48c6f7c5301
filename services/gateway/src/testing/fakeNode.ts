import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A fake node. For tests only. */
export interface FakeNode {
  readonly url: URL
  /** Received request bodies, except for the requests of the probe. */
  readonly bodies: string[]
  /** Returns the number of connections opened so far. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Behaviour of a fake node. For tests only. */
export type Behaviour = (body: string, response: ServerResponse, request: IncomingMessage) => void

/**
 * Returns the answer of a healthy node to a call. The result contains the method and the parameters. For
 * tests only.
 */
export function resultOf(call: { id?: unknown; method?: string; params?: unknown }): string {
  const { id, method, params } = call
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: method === 'eth_chainId' ? '0xa86a' : { method, params },
  })
}

/** Answers every call as a healthy node does. For tests only. */
export const well: Behaviour = (body, response) => {
  const request = JSON.parse(body)
  const text = Array.isArray(request) ? `[${request.map(resultOf).join(',')}]` : resultOf(request)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/**
 * Starts a fake node of chain 43114 on a loopback port. `onSocket` receives its WebSockets. For tests only.
 */
export async function fakeNode(
  behave: Behaviour = well,
  onSocket: (socket: WebSocket) => void = echo,
): Promise<FakeNode> {
  const bodies: string[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    if (body.includes('"eth_chainId"') && bodies.length === 0) return well(body, response, request)
    bodies.push(body)
    behave(body, response, request)
  })
  server.on('connection', () => connections++)
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', onSocket)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/rpc`),
    bodies,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function echo(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    const request = JSON.parse(data.toString())
    socket.send(Array.isArray(request) ? `[${request.map(resultOf).join(',')}]` : resultOf(request))
  })
}
