import { createHash } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Server side of a WebSocket connection. For tests only. */
export interface ServedSocket {
  send(text: string): void
  /** Breaks the connection without a close frame. */
  cut(): void
}

/** Handlers of a server's WebSocket connections. For tests only. */
export interface SocketHandlers {
  readonly opened: (socket: ServedSocket) => void
  readonly message: (socket: ServedSocket, text: string) => void
  readonly closed: (socket: ServedSocket) => void
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/**
 * Accepts WebSocket connections on an HTTP server. Only text frames are supported, which is enough for
 * JSON-RPC. For tests only.
 */
export function serveSockets(server: Server, handlers: SocketHandlers): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const key = String(request.headers['sec-websocket-key'])
    const accept = createHash('sha1')
      .update(key + GUID)
      .digest('base64')
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const socket: ServedSocket = {
      send: (text) => void (stream.writable && stream.write(frame(text))),
      cut: () => void stream.destroy(),
    }
    let rest: Buffer = Buffer.alloc(0)
    stream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let read = readFrame(rest); read !== undefined; read = readFrame(rest)) {
        rest = rest.subarray(read.size)
        if (read.opcode === 1) handlers.message(socket, read.payload.toString('utf8'))
        if (read.opcode === 8) stream.end(Buffer.from([0x88, 0]))
      }
    })
    stream.on('error', () => undefined)
    stream.on('close', () => handlers.closed(socket))
    handlers.opened(socket)
  })
}

function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = 0x81
  head[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

function readFrame(
  bytes: Buffer,
): { readonly opcode: number; readonly payload: Buffer; readonly size: number } | undefined {
  if (bytes.length < 2) return undefined
  const short = (bytes[1] as number) & 0x7f
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0
  if (bytes.length < 2 + extra + 4) return undefined
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const begin = 2 + extra + 4
  if (bytes.length < begin + length) return undefined
  const mask = bytes.subarray(2 + extra, begin)
  const payload = Buffer.from(bytes.subarray(begin, begin + length))
  for (let i = 0; i < length; i++) payload[i] = (payload[i] as number) ^ (mask[i & 3] as number)
  return { opcode: (bytes[0] as number) & 0x0f, payload, size: begin + length }
}
