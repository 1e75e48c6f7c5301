import { type ClientOptions, WebSocket } from 'ws'
import type { OpenSocket, Socket } from './socket.ts'

/**
 * Opens a WebSocket with headers. If a message exceeds the size limit, the connection ends before the message
 * is in memory.
 */
export const openSocket: OpenSocket = (url, { headers, maxMessageBytes }) => {
  // The server has one second to respond to a close frame before the connection is terminated.
  const options = { headers, maxPayload: maxMessageBytes, perMessageDeflate: false, closeTimeout: 1_000 }
  return new WebSocket(url, options as ClientOptions) as Socket
}
