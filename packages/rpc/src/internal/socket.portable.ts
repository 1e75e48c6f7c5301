import { RpcError } from '../RpcError.ts'
import type { OpenSocket, Socket } from './socket.ts'

/** Opens a WebSocket with the platform's implementation, which can't send headers. */
export const openSocket: OpenSocket = (url, { headers }) => {
  if (Object.keys(headers).length > 0)
    throw new RpcError(
      'RPC_SCHEMA',
      'WebSockets in browsers cannot send headers; put the API key into the URL',
    )
  return new WebSocket(url) as Socket
}
