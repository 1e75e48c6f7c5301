import { connect, type Socket } from 'node:net'

/** A minimal HTTP client on a single connection. For tests only. */
export interface RawClient {
  /**
   * Sends a call. Resolves with the HTTP status of the answer, or with 0 if the connection closes before the
   * answer arrives.
   */
  readonly ask: (id: number) => Promise<number>
  readonly close: () => void
}

const HEAD_END = '\r\n\r\n'

/** Returns the text of an HTTP request with a call. For tests only. */
export function requestText(id: number): string {
  const body = `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":[]}`
  return `POST /rpc/43114 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`
}

/** Opens a connection from the given local address. For tests only. */
export function connectFrom(localAddress: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Creates a client that connects from the given local address. For tests only. */
export async function rawClient(localAddress: string, port: number): Promise<RawClient> {
  const socket = await connectFrom(localAddress, port)
  let text = ''
  let settle: (status: number) => void = () => undefined
  socket.on('data', (data) => {
    text += data
    const end = text.indexOf(HEAD_END)
    const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? Number.NaN)
    if (end < 0 || text.length < end + HEAD_END.length + length) return
    const status = Number(text.slice(9, 12))
    text = ''
    settle(status)
  })
  socket.on('close', () => settle(0))
  return {
    ask: (id) =>
      new Promise((resolve) => {
        settle = resolve
        if (socket.destroyed) resolve(0)
        else socket.write(requestText(id))
      }),
    close: () => socket.destroy(),
  }
}
