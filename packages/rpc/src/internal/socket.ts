/** The events of a WebSocket that this package uses. */
export interface SocketEvents {
  readonly open: object
  readonly message: { readonly data: unknown }
  readonly error: { readonly error?: unknown }
  readonly close: { readonly code: number }
}

/** The part of the standard `WebSocket` that this package uses. */
export interface Socket {
  /** State of the socket; 1 if it is open. */
  readonly readyState: number
  send(text: string): void
  close(): void
  addEventListener<E extends keyof SocketEvents>(event: E, listener: (event: SocketEvents[E]) => void): void
}

/** Opens a WebSocket. */
export type OpenSocket = (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly maxMessageBytes: number },
) => Socket
