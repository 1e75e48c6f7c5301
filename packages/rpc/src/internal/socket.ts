/** The events of a socket that are used. */
export interface SocketEvents {
  readonly open: object
  readonly message: { readonly data: unknown }
  readonly error: { readonly error?: unknown }
  readonly close: { readonly code: number }
}

/** The part of the standard's `WebSocket` that is used. */
export interface Socket {
  /** 1 while it is open. */
  readonly readyState: number
  send(text: string): void
  close(): void
  addEventListener<E extends keyof SocketEvents>(event: E, listener: (event: SocketEvents[E]) => void): void
}

/** Opens a socket. */
export type OpenSocket = (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly maxMessageBytes: number },
) => Socket
