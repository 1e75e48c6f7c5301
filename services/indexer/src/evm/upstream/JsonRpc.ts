import {
  type CallAnswer,
  type Connection,
  type ConnectionOptions,
  classify,
  connect,
  type FailureClass,
  isRpcError,
  type Answers as RpcAnswers,
  type Call as RpcCall,
  type RpcError,
  type Subscriber,
} from '@firn/rpc'
import { IndexerError, type IndexerErrorCode } from '../../common/IndexerError.ts'

export type { Subscriber }

/** A JSON-RPC method with its parameters. */
export interface Call extends RpcCall {
  readonly params: readonly unknown[]
}

/** Answers to calls that were sent together, in the order of the calls. */
export type Answers = RpcAnswers<IndexerError>

/** Connection options of a node over HTTP or WebSocket. The default request timeout is 15,000 ms. */
export type JsonRpcOptions = Pick<
  ConnectionOptions,
  'url' | 'headers' | 'fetch' | 'timeoutMs' | 'maxResponseBytes' | 'observe'
>

/** Answer to a call: a result, or the error of the call (`INDEXER_RPC_REFUSED`, `_LIMITED`, `_TOO_LARGE`). */
export type Answer = CallAnswer<IndexerError>

/** A connection to one node. Its methods throw {@link IndexerError}, and failed requests are not retried. */
export interface JsonRpc extends Pick<Connection, 'name' | 'subscribe' | 'close'> {
  /**
   * Sends calls in one request: a single call as an object, several calls as a batch. `timeoutMs` replaces the time limit
   * of the connection.
   * @throws IndexerError `INDEXER_RPC_LIMITED`, `INDEXER_RPC_TOO_LARGE`, `INDEXER_RPC_UNAVAILABLE`,
   * `INDEXER_RPC_MALFORMED`, `INDEXER_RPC_TIMEOUT`, and `INDEXER_RPC_REFUSED` for the request as a whole; the
   * signal's reason when it is aborted
   */
  ask(calls: readonly Call[], signal?: AbortSignal, timeoutMs?: number): Promise<Answers>
}

const CODES: Readonly<Record<FailureClass, IndexerErrorCode>> = {
  unreachable: 'INDEXER_RPC_UNAVAILABLE',
  unavailable: 'INDEXER_RPC_UNAVAILABLE',
  aborted: 'INDEXER_RPC_UNAVAILABLE',
  timeout: 'INDEXER_RPC_TIMEOUT',
  limited: 'INDEXER_RPC_LIMITED',
  tooLarge: 'INDEXER_RPC_TOO_LARGE',
  oversize: 'INDEXER_RPC_TOO_LARGE',
  malformed: 'INDEXER_RPC_MALFORMED',
  absent: 'INDEXER_RPC_REFUSED',
  refused: 'INDEXER_RPC_REFUSED',
  answered: 'INDEXER_RPC_REFUSED',
  invalid: 'INDEXER_CONFIGURATION',
}

/** Time limit of a request in milliseconds, unless another one is given. */
export const TIMEOUT_MS = 15_000
/** Maximum length of a node's message that an error quotes. */
const MAX_MESSAGE = 300

/**
 * Creates a connection to a node over HTTP or WebSocket, depending on its URL.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export function createJsonRpc({ timeoutMs = TIMEOUT_MS, ...options }: JsonRpcOptions): JsonRpc {
  // The built-in JSON parser is faster. EVM answers encode large numbers as hex, so they stay exact.
  const { name, ask, subscribe, close } = open({ ...options, timeoutMs, json: JSON })
  return {
    name,
    close,
    async ask(calls, signal, ownMs) {
      const { answers, bytes } = await guarded(name, ask(calls, { signal, timeoutMs: ownMs }), signal)
      return { bytes, answers: answers.map((answer) => translate(answer, name)) }
    },
    ...(subscribe && {
      subscribe: (params, to, signal) => guarded(name, subscribe(params, to, signal), signal),
    }),
  }
}

function open(options: ConnectionOptions): Connection {
  try {
    return connect(options)
  } catch (cause) {
    if (!isRpcError(cause)) throw cause
    throw new IndexerError('INDEXER_CONFIGURATION', `Cannot use the URL of a node: ${cause.message}`, {
      cause,
    })
  }
}

async function guarded<T>(name: string, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work
  } catch (error) {
    signal?.throwIfAborted()
    throw isRpcError(error) ? toIndexerError(error, name) : error
  }
}

function translate(answer: CallAnswer, name: string): Answer {
  return answer.error === undefined ? answer : { error: toIndexerError(answer.error, name) }
}

/**
 * Converts an RPC error to an indexer error. The message omits the path of the node's URL, because it may
 * contain a key.
 */
export function toIndexerError(error: RpcError, name: string): IndexerError {
  const { httpStatus, rpcCode, rpcMessage, data, retryAfterMs, timeoutMs, maxResponseBytes } = error.details
  const facts = {
    upstream: name,
    ...(rpcCode === undefined
      ? { status: httpStatus }
      : { rpcCode, rpcMessage: rpcMessage?.slice(0, MAX_MESSAGE) }),
    data: typeof data === 'string' ? data : undefined,
    retryAfterMs,
    timeoutMs,
    maxResponseBytes,
  }
  const details = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  return new IndexerError(CODES[classify(error)], error.message, { details, cause: error.cause })
}
