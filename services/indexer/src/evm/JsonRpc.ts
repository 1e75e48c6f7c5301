import type { IndexerError } from '../IndexerError.ts'

/** How to reach a node. */
export interface JsonRpcOptions {
  /** `http:`, `https:`, `ws:` or `wss:`; a user and password in it become a header. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** For one request, from sending to the last byte; 15,000 ms if not given. */
  readonly timeoutMs?: number
  /** The largest answer read, in bytes; 64 MiB if not given. */
  readonly maxResponseBytes?: number
}

/** A method and its arguments. */
export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a node said to a call: a result, or why there is none (`INDEXER_RPC_REFUSED`, `_LIMITED`, `_TOO_LARGE`). */
export type Answer =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: IndexerError; readonly result?: undefined }

/** The answers to calls that were sent together, in the calls' order. */
export interface Answers {
  readonly answers: readonly Answer[]
  /** The size of what came. */
  readonly bytes: number
}

/** Told of events; `end` once, when there will be no more. */
export interface Subscriber {
  readonly event: (payload: unknown) => void
  readonly end: () => void
}

/** Asks one node. Nothing is repeated here. */
export interface JsonRpc {
  /** Host and port, for logs and metrics: paths and queries may be secret. */
  readonly name: string
  /**
   * Sends calls in one request: one alone as it is, more as a batch.
   * @throws IndexerError `INDEXER_RPC_LIMITED`, `INDEXER_RPC_TOO_LARGE`, `INDEXER_RPC_UNAVAILABLE`, `INDEXER_RPC_MALFORMED`,
   * `INDEXER_RPC_TIMEOUT`, and `INDEXER_RPC_REFUSED` of the request as a whole; the signal's reason when it is aborted
   */
  ask(calls: readonly Call[], signal?: AbortSignal): Promise<Answers>
  /** Begins a subscription (`eth_subscribe`); undefined where the connection can't carry any. Errors as of `ask`. */
  readonly subscribe?: (
    params: readonly unknown[],
    subscriber: Subscriber,
    signal?: AbortSignal,
  ) => Promise<void>
  close(): void
}

/** A node's address taken apart. */
export interface Target {
  readonly url: string
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}
