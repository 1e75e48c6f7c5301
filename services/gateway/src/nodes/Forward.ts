import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, type Agent as SecureAgent } from 'node:https'
import { classifyStatus, type FailureClass, parseRetryAfter } from '@firn/rpc'
import { GatewayError } from '../GatewayError.ts'
import type { Limits } from '../Limits.ts'
import { type Node, type Nodes, observeForwarded } from './Nodes.ts'

/** A request body to be forwarded to a node. */
export interface Forwarded {
  readonly body: Uint8Array
  /** The methods that the body calls. */
  readonly methods: readonly string[]
  /** Whether the request may be sent to a second node if it is unknown whether the first node has processed it. */
  readonly isRepeatable: boolean
  /** Whether the body contains a call that gets an answer. False if the body contains only notifications. */
  readonly isAnswered: boolean
  /**
   * Rate-limit key of the caller if the request must reach the same node as the caller's earlier requests of this
   * kind; otherwise undefined.
   */
  readonly home: string | undefined
  /** Signal that aborts when the caller disconnects or the request times out. */
  readonly signal: AbortSignal
}

/** A node's answer. At least its beginning has arrived. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  /** Length of the answer in bytes; undefined if the node did not send it. */
  readonly length: number | undefined
  /**
   * Parts of the answer. They are read from the node only as fast as they are consumed. Throws a GatewayError
   * if the answer is incomplete or too large.
   */
  readonly parts: AsyncIterable<Uint8Array>
  /** Discards the rest of the answer. */
  readonly close: () => void
}

/** Dependencies of {@link forward}. */
export interface Asking {
  readonly nodes: Nodes
  readonly agents: { readonly http: Agent; readonly https: SecureAgent }
  readonly limits: Pick<Limits, 'answerMs' | 'answerBytes'>
}

/** Maximum number of nodes that are tried. */
const MOST_TRIES = 3
/** HTTP statuses that are forwarded to the caller. All others count as failures of the node. */
const ANSWERS = new Set([200, 202, 204, 400, 413])
/** Network errors after which the node has certainly not processed the request. */
const NOT_BEGUN = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])
const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b]

/** Reason why a node returned no usable answer. */
class Failure extends GatewayError {
  readonly reason: FailureClass
  readonly isBegun: boolean
  readonly refusesMs: number | undefined

  constructor(reason: FailureClass, message: string, isBegun = true, refusesMs?: number) {
    super(reason === 'timeout' ? 'GATEWAY_TIMEOUT' : 'GATEWAY_UPSTREAM', message)
    this.reason = reason
    this.isBegun = isBegun
    this.refusesMs = refusesMs
  }
}

/**
 * Sends the body to the nodes of a chain, one after another, until a node starts to answer.
 * @throws GatewayError `GATEWAY_UPSTREAM`, `GATEWAY_TIMEOUT`, `GATEWAY_BUSY`; the abort reason of the signal
 */
export async function forward(asking: Asking, forwarded: Forwarded): Promise<Answer> {
  const { nodes } = asking
  const order = nodes.order(forwarded.home).filter(({ value }) => value.hasHttp)
  let failure: Failure | undefined
  for (const node of order.slice(0, MOST_TRIES)) {
    const end = nodes.begin(node)
    const observation = observeForwarded(nodes, node, forwarded.methods)
    try {
      const answer = await ask(node, asking, { ...forwarded, headers: observation.headers }, end)
      observation.end(undefined)
      return answer
    } catch (error) {
      end()
      if (!(error instanceof Failure)) throw error
      observation.end(error.reason)
      nodes.failed(node, error, error.refusesMs)
      failure = error
      if (error.isBegun && !forwarded.isRepeatable) break
    }
  }
  if (failure === undefined || failure.refusesMs !== undefined) throw busy(nodes)
  throw failure
}

function busy({ retryAfterMs }: Nodes): GatewayError {
  return new GatewayError(
    'GATEWAY_BUSY',
    'no node of this chain accepts requests at the moment; try again later',
    {
      details: { retryAfterMs },
    },
  )
}

/** A request body with the headers of one attempt. */
type Attempt = Forwarded & { readonly headers: Readonly<Record<string, string>> | undefined }

async function ask(node: Node, asking: Asking, forwarded: Attempt, end: () => void): Promise<Answer> {
  const { limits, nodes } = asking
  const slow = new AbortController()
  const signal = AbortSignal.any([forwarded.signal, slow.signal])
  const timer = setTimeout(() => slow.abort(), limits.answerMs)
  try {
    const message = await send(node, asking, forwarded, signal)
    const { statusCode: status = 502, headers } = message
    if (!ANSWERS.has(status)) {
      message.destroy()
      const refusesMs = restOf(message)
      const reason = classifyStatus(status, refusesMs)
      throw new Failure(reason, `the node returned status ${status}`, ![429, 503].includes(status), refusesMs)
    }
    const length = lengthOf(headers['content-length'])
    if (length !== undefined && length > limits.answerBytes) {
      message.destroy()
      throw new Failure('oversize', `the node's answer is larger than ${limits.answerBytes} bytes`)
    }
    const parts = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const first = await parts.next()
    if (status === 200 && forwarded.isAnswered && !isJson(first.value)) {
      message.destroy()
      throw new Failure('malformed', "the node's answer is not JSON")
    }
    nodes.succeeded(node)
    const contentType = headers['content-type'] ?? 'application/json'
    const rest = all(first, parts, limits.answerBytes, (error) => nodes.failed(node, error), end)
    return { status, contentType, length, parts: rest, close: () => message.destroy() }
  } catch (error) {
    if (error instanceof Failure) throw error
    forwarded.signal.throwIfAborted()
    if (slow.signal.aborted) throw new Failure('timeout', 'the node did not respond in time')
    const { code = '', message } = error as { code?: string; message: string }
    const words = `the request to the node failed: ${code === '' ? message : code}`
    throw new Failure('unreachable', words, !NOT_BEGUN.has(code))
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends a request. If a reused connection turns out to be closed before any data arrives, sends the request again on
 * a new connection. A request that must not be repeated always gets a new connection.
 */
async function send(
  node: Node,
  { agents }: Asking,
  { body, headers, isRepeatable }: Attempt,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const kept = node.value.url.protocol === 'https:' ? agents.https : agents.http
  try {
    return await sendOn(isRepeatable ? kept : false, node, { body, headers }, signal)
  } catch (error) {
    if (!(error instanceof Stale)) throw error
    return sendOn(false, node, { body, headers }, signal)
  }
}

/** Thrown if a reused connection was closed before any data arrived. */
class Stale extends GatewayError {}

function sendOn(
  agent: Agent | SecureAgent | false,
  { value: { url } }: Node,
  { body, headers }: Pick<Attempt, 'body' | 'headers'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: agent as Agent,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        // The answer must be uncompressed, because the gateway parses it.
        'accept-encoding': 'identity',
        'content-length': body.length,
        ...headers,
      },
    })
    request.once('response', resolve)
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
      reject(
        isStale ? new Stale('GATEWAY_UPSTREAM', 'the node closed the connection', { cause: error }) : error,
      )
    })
    request.end(body)
  })
}

async function* all(
  first: IteratorResult<Buffer>,
  parts: AsyncIterator<Buffer>,
  most: number,
  onFailure: (error: Error) => void,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for (let next = first; next.done !== true; next = await parts.next()) {
      length += next.value.length
      if (length > most) {
        throw new GatewayError('GATEWAY_UPSTREAM', `the node's answer is larger than ${most} bytes`)
      }
      yield next.value
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    const failure = new GatewayError(
      'GATEWAY_UPSTREAM',
      'the node closed the connection before its answer was complete',
      { cause: error },
    )
    onFailure(failure)
    throw failure
  } finally {
    onEnd()
    await parts.return?.()
  }
}

function isJson(part: Uint8Array | undefined): boolean {
  const byte = part?.find((one) => one > 0x20)
  return byte === OPEN_OBJECT || byte === OPEN_LIST
}

/**
 * Returns the time in milliseconds for which a node refuses requests, or undefined if it does not refuse them. The
 * `retry-after` header of a 429 or 503 contains this time in seconds or as a date. An invalid header, and a 429
 * without the header, count as one second.
 */
function restOf({ statusCode, headers }: IncomingMessage): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) return undefined
  const text = headers['retry-after']
  if (text === undefined) return statusCode === 429 ? 1_000 : undefined
  return parseRetryAfter(text, Date.now()) ?? 1_000
}

function lengthOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
