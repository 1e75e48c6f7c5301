import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** Time in milliseconds for a client to close its side of a connection. */
const LINGER_MS = 1_000

/**
 * Sends the last bytes on a socket and closes it, also if the client keeps its side open. What the client still sends is
 * dropped for at most a second, because a socket that is closed with unread data would take the last bytes back.
 * @example
 * ```ts
 * import { SocketEnd } from '@firn/http'
 * import { createServer } from 'node:http'
 *
 * createServer().on('upgrade', (_request, socket) => {
 *   SocketEnd.send(socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
 * })
 * ```
 */
export function send(socket: Duplex, bytes: string | Uint8Array = ''): void {
  if (socket.destroyed) return
  if (!socket.writable) return void socket.destroy()
  const timer = setTimeout(() => reset(socket), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(bytes)
}

/**
 * Destroys a socket at once. On TCP, the client receives a reset, and the operating system drops what the client
 * has not read.
 * @example
 * ```ts
 * import { SocketEnd } from '@firn/http'
 * import { createServer } from 'node:http'
 *
 * createServer().on('clientError', (_error, socket) => SocketEnd.reset(socket))
 * ```
 */
export function reset(socket: Duplex): void {
  const isTcp =
    socket instanceof Socket && !(socket instanceof TLSSocket) && socket.remoteFamily !== undefined
  if (isTcp && !socket.destroyed) socket.resetAndDestroy()
  else socket.destroy()
}
