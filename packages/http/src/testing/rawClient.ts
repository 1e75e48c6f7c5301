import { connect, type Socket } from 'node:net'

/** A TCP connection whose client side stays open until it is destroyed. */
export interface RawClient {
  readonly socket: Socket
  /** Returns all that the server has sent. */
  readonly text: () => string
  /** Resolves when the server has closed its side, or when the connection has ended. */
  readonly ended: Promise<void>
}

/** Options of {@link openRaw}. */
export interface RawOptions {
  /** Address to connect from; on Linux, any loopback address. */
  readonly from?: string
  /** Bytes to send first. */
  readonly text?: string
  /** Bytes to send every 10 ms after `text`. */
  readonly drip?: string
  /** Whether the client reads; true by default. */
  readonly isReading?: boolean
}

/** Connects to a port of this machine. The client never closes its side, not even when the server does. */
export async function openRaw(
  port: number,
  { from = '127.0.0.1', text = '', drip, isReading = true }: RawOptions = {},
): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  let received = ''
  socket.on('error', () => socket.destroy())
  if (isReading) socket.setEncoding('latin1').on('data', (chunk) => (received += String(chunk)))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const ended = Promise.race([new Promise<void>((resolve) => socket.once('end', resolve)), closed])
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed])
  if (!isReading) socket.pause()
  if (text !== '') socket.write(text, 'latin1')
  if (drip !== undefined) {
    const timer = setInterval(() => socket.writable && socket.write(drip), 10)
    socket.once('close', () => clearInterval(timer))
  }
  return { socket, text: () => received, ended }
}
