import { connect } from 'node:net'

/** A request as it is written to a socket. For tests only. */
export interface Sent {
  readonly head: string
  /** Parts of the body, written one after the other. */
  readonly body: readonly Uint8Array[]
  /** Whether the last part of the body is repeated until the server closes the connection. */
  readonly isEndless?: boolean
  /** What ends the exchange: by default the end of the connection, else the head of the answer or what follows it. */
  readonly until?: 'head' | 'frame'
}

/** What came back. For tests only. */
export interface Received {
  /** HTTP status; 0 if the connection was closed without an answer, -1 if there was none in time. */
  readonly status: number
  /** Size of the answer, and number of bytes that the server or buffers took, both including headers. */
  readonly bytes: number
  readonly taken: number
}

/** Number of bytes of an endless body after which a server is said to take everything. */
const ENDLESS_BYTES = 192 * 2 ** 20
const HEAD_END = '\r\n\r\n'

/**
 * Sends one request on its own connection and reads the answer until its end, for at most `patienceMs` milliseconds. For
 * tests only.
 */
export function send(url: string, sent: Sent, patienceMs: number): Promise<Received> {
  const { hostname, port } = new URL(url)
  return new Promise((settle) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let text = ''
    let bytes = 0
    let status: number | undefined
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      settle({ status: status ?? 0, bytes, taken: socket.bytesWritten })
    }
    const timer = setTimeout(() => {
      status ??= -1
      end()
    }, patienceMs)
    socket.on('error', () => undefined)
    socket.on('close', end)
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (text.length < 2 ** 16) text += chunk.toString('latin1')
      status ??= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      const rest = text.length - text.indexOf(HEAD_END) - HEAD_END.length
      if (sent.until === 'head' || (sent.until === 'frame' && rest > 0)) end()
    })
    write(socket, sent, end)
  })
}

function write(
  socket: ReturnType<typeof connect>,
  { head, body, isEndless = false }: Sent,
  end: () => void,
): void {
  socket.write(head)
  let next = 0
  const more = () => {
    while (!socket.destroyed) {
      const part = body[next] ?? (isEndless ? body.at(-1) : undefined)
      if (part === undefined) return
      next += 1
      if (socket.bytesWritten > ENDLESS_BYTES) return end()
      if (!socket.write(part)) return void socket.once('drain', more)
    }
  }
  more()
}
