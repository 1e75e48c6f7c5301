import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { StakingCertificate, StakingKey } from '@firn/keys'

/** Forwarding targets by path prefix. The first matching prefix applies. */
export type Routes = readonly { readonly path: string; readonly to: string; readonly as?: string }[]

/** A running proxy. */
export interface Proxy {
  readonly port: number
  close(): Promise<void>
}

function target(routes: Routes, path = '/'): URL | undefined {
  const route = routes.find((it) => path.startsWith(it.path))
  return route && new URL(route.as ?? path, route.to)
}

/** Creates a handler that forwards requests. */
function forward(routes: Routes): RequestListener {
  return (incoming, response) => {
    const url = target(routes, incoming.url)
    if (url === undefined) return void response.writeHead(404).end()
    const { method, headers } = incoming
    const outgoing = request(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
}

/** Creates a handler that forwards WebSocket connections byte for byte. */
function tunnel(routes: Routes) {
  return (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const url = target(routes, incoming.url)
    if (url === undefined) return void socket.destroy()
    const far = connect(Number(url.port), url.hostname)
    const headers = incoming.rawHeaders.reduce(
      (lines, text, i) => (i % 2 === 0 ? `${lines}${text}: ` : `${lines}${text}\r\n`),
      '',
    )
    far.write(`GET ${url.pathname} HTTP/1.1\r\n${headers}\r\n`)
    far.write(head)
    far.pipe(socket).pipe(far)
    for (const [one, other] of [
      [far, socket],
      [socket, far],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }
}

async function listen(server: Server, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Starts a proxy on loopback. With `isSecure`, it uses TLS with a self-signed certificate. */
export function start(routes: Routes, { port = 0, isSecure = false } = {}): Promise<Proxy> {
  const { der, privateKey } = StakingCertificate.create()
  const certificate = { cert: StakingCertificate.formatPem(der), key: StakingKey.formatPem(privateKey) }
  const server = isSecure ? createSecureServer(certificate, forward(routes)) : createServer(forward(routes))
  server.on('upgrade', tunnel(routes))
  return listen(server, port)
}
