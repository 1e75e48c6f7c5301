import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A JSON-RPC call as the server received it. */
export interface Received {
  readonly id: number
  readonly method: string
}

/** How the server responds to the next requests. */
export interface Behaviour {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * A function that returns the text of the response, or a fault: `silent` never responds, `cut` closes the
   * connection, and `half` closes it in the middle of the body.
   */
  readonly answer: 'silent' | 'cut' | 'half' | ((calls: readonly Received[]) => string)
}

/** A server on real sockets with configurable faults. */
export interface FaultyServer {
  /** Host and port, without a scheme. */
  readonly host: string
  behaviour: Behaviour
  /** Bodies of all requests that the server received. */
  readonly requests: readonly string[]
  /** Headers of the last request or handshake. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The open WebSockets. */
  readonly sockets: ReadonlySet<WebSocket>
  close(): void
}

/** Responds to each call with the id of the call as the result. */
export const echo: Behaviour = {
  answer: (calls) => JSON.stringify(unwrap(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: id })))),
}

/** Returns the element of a list with exactly one element, and returns any other list unchanged. */
export function unwrap(list: readonly unknown[]): unknown {
  return list.length === 1 ? list[0] : list
}

/** Starts a server on a free port. */
export async function startFaultyServer(): Promise<FaultyServer> {
  const requests: string[] = []
  const state = { behaviour: echo, headers: {} as Readonly<Record<string, unknown>> }
  const answer = (text: string) => {
    requests.push(text)
    const calls = [JSON.parse(text)].flat() as Received[]
    return typeof state.behaviour.answer === 'string'
      ? state.behaviour.answer
      : { text: state.behaviour.answer(calls) }
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    state.headers = request.headers
    const reply = answer(text)
    if (reply === 'silent') return
    if (reply === 'cut') return void response.destroy()
    const { status = 200, headers } = state.behaviour
    response.writeHead(status, headers)
    if (reply === 'half') response.write('{"jsonrpc":', () => response.destroy())
    else response.end(reply.text)
  })
  const upgrades = new WebSocketServer({ server })
  upgrades.on('connection', (socket, request) => {
    state.headers = request.headers
    socket.on('message', (data) => {
      const reply = answer(String(data))
      if (reply === 'cut' || reply === 'half') socket.terminate()
      else if (reply !== 'silent') socket.send(reply.text)
    })
  })
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', () => settle()))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get behaviour() {
      return state.behaviour
    },
    set behaviour(next) {
      state.behaviour = next
    },
    requests,
    get headers() {
      return state.headers
    },
    sockets: upgrades.clients,
    close() {
      for (const socket of upgrades.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}
