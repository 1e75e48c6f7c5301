import type { RpcError } from './RpcError.ts'

/** A method and its arguments. */
export interface Call {
  readonly method: string
  readonly params: unknown
}

/** The response to one call: a result, or the JSON-RPC error `RPC_REMOTE`. */
export type Answer<E extends Error = RpcError> =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: E; readonly result?: undefined }

/** The responses to calls that were sent together, in the order of the calls. */
export interface Answers<E extends Error = RpcError> {
  readonly answers: readonly Answer<E>[]
  /** Length of the whole response in bytes. */
  readonly bytes: number
}

/** Receives the events of a subscription. `end` is called once, after the last event. */
export interface Subscriber {
  readonly event: (payload: unknown) => void
  readonly end: () => void
}

/** Options of a single request. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Headers of this request only. Requests over WebSocket have none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The part of a connection that differs between HTTP and WebSocket. */
export interface Asker {
  /** Host and port of the server, for logs and metrics. */
  readonly name: string
  /**
   * Sends calls in one request: a single call as an object, several calls as a batch.
   * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, `RPC_HTTP`, `RPC_RESPONSE`; `RPC_REMOTE`
   * if the server rejects the whole request
   */
  ask(calls: readonly Call[], options?: AskOptions): Promise<Answers>
  /**
   * Starts a subscription with `eth_subscribe`. The member is undefined over HTTP. Throws the same errors as
   * `ask`.
   */
  readonly subscribe?: (
    params: readonly unknown[],
    subscriber: Subscriber,
    signal?: AbortSignal,
  ) => Promise<void>
  close(): void
}
