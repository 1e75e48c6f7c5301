import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { IpAddress } from '@firn/http'
import { GatewayError, REFUSALS } from '../GatewayError.ts'
import { type Calls, readCalls } from '../json-rpc/RequestReader.ts'
import { isRepeatable, isSticky } from '../methods/MethodPolicy.ts'
import { type Answer, forward } from '../nodes/Forward.ts'
import type { GatewayContext } from '../request/Context.ts'
import { asGatewayError, errorBody, isHungUpOn, retryAfter } from '../request/Refused.ts'
import { readBody } from '../request/RequestBody.ts'
import { callerKeys, probeKeys, type Route, routeOf } from '../request/Route.ts'
import type { Counting } from '../usage/Counting.ts'
import { responseCode } from '../usage/ResponseCode.ts'
import { AnswerTap, type ObservedResponse } from './AnswerTap.ts'

/** Response headers that browsers expose to scripts. */
const EXPOSED = 'ratelimit-policy, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after'

/** A request and its response. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Time at which the request arrived, in milliseconds since 1970. */
  readonly startedAt: number
  readonly keys: IpAddress.LimitKeys
}

/** Creates the handler of `POST /rpc/{chainId}`. */
export function createHttpHandler(context: GatewayContext, counting: Counting): RequestListener {
  return (request, response) => {
    // Answering a pipelined request on a closed connection would create an error with a stack trace.
    if (request.socket.destroyed) return void request.destroy()
    response.on('error', () => undefined)
    const started = { request, response, startedAt: context.now() }
    let keys: IpAddress.LimitKeys
    try {
      keys = callerKeys(request, context)
    } catch (error) {
      return refuse(asGatewayError(error), { ...started, keys: probeKeys(request, context) }, undefined)
    }
    const exchange = { ...started, keys }
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', EXPOSED)
    if (request.method === 'OPTIONS') return preflight(response)
    void serve(exchange, context, counting)
  }
}

function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, x-bypass-token',
    'access-control-max-age': '86400',
  })
  response.end()
}

/** Facts about a request that are known when the request is counted or refused. */
interface Known {
  route?: Route
  calls?: Calls
  isSpent?: boolean
}

async function serve(exchange: Exchange, context: GatewayContext, counting: Counting): Promise<void> {
  const { response, startedAt } = exchange
  const known: Known = {}
  const releases: (() => void)[] = []
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new GatewayError('GATEWAY_GONE', 'the caller disconnected'))
  })
  const time = setTimeout(
    () => gone.abort(new GatewayError('GATEWAY_TIMEOUT', 'the request timed out')),
    context.limits.totalMs,
  )
  try {
    const answer = await ask(exchange, context, counting, known, releases, gone.signal)
    tellLimits(exchange, known, context)
    const heard = await pass(answer, response, gone.signal)
    for (const [method, code, credits] of codes(answer.status, heard, known.calls, counting)) {
      if (known.route !== undefined) counting.call(known.route, method, code, startedAt, credits)
    }
  } catch (error) {
    const refused = asGatewayError(gone.signal.aborted ? gone.signal.reason : error)
    if (refused.cause !== undefined && refused.code === 'GATEWAY_UPSTREAM') {
      context.log.warn({ err: error }, 'request failed')
    }
    tellLimits(exchange, known, context)
    if (isHungUpOn(refused, exchange.keys, context)) exchange.request.socket.destroy()
    else refuse(refused, exchange, known.calls)
    countRefusal(refused, startedAt, known, counting)
  } finally {
    clearTimeout(time)
    for (const release of releases) release()
  }
}

/** Adds the caller's rate-limit headers to the response. */
function tellLimits({ response, keys }: Exchange, { route }: Known, { admission }: GatewayContext): void {
  if (response.headersSent) return
  const headers = admission.headersOf(route?.caller ?? { keys, bypass: undefined })
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** Checks the limits of a request, reads it and forwards it to a node. */
async function ask(
  { request, keys }: Exchange,
  context: GatewayContext,
  counting: Counting,
  known: Known,
  releases: (() => void)[],
  signal: AbortSignal,
): Promise<Answer> {
  const { admission, limits } = context
  try {
    known.route = routeOf(request, keys, context)
  } finally {
    // Requests for unknown chains and with unknown tokens are rate-limited too.
    const caller = known.route?.caller ?? { keys, bypass: undefined }
    releases.push(admission.begin(caller))
  }
  const { chain, caller } = known.route
  if (request.method !== 'POST')
    throw new GatewayError('GATEWAY_REQUEST', `expected a POST request, got ${request.method}`)
  const body = await readBody(request, caller, admission, limits)
  releases.push(body.release)
  known.calls = readCalls(body.bytes, limits.batchCalls)
  const { calls } = known.calls
  calls.forEach(chain.assertAllowed)
  admission.spend(caller, counting.costOf(calls) - 1)
  known.isSpent = true
  const stored = await chain.logs?.answer(body.bytes, known.calls, signal)
  if (stored !== undefined) {
    body.release()
    return storedAnswer(stored)
  }
  const asking = { nodes: chain.nodes, agents: context.agents, limits }
  const answer = await forward(asking, {
    body: body.bytes,
    methods: calls.map(({ method }) => method),
    isRepeatable: calls.every(isRepeatable),
    isAnswered: calls.some(({ id }) => id !== undefined),
    home: calls.some(isSticky) ? keys[0].key : undefined,
    signal,
  })
  body.release()
  return answer
}

/** Returns an answer that did not come from a node. */
function storedAnswer(body: Uint8Array): Answer {
  const parts = (async function* () {
    yield body
  })()
  return { status: 200, contentType: 'application/json', length: body.length, parts, close: () => undefined }
}

/** Forwards an answer to the caller, only as fast as the caller reads it. */
async function pass(
  answer: Answer,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<ObservedResponse> {
  const tap = new AnswerTap()
  try {
    const { status, contentType, length } = answer
    response.writeHead(status, {
      'content-type': contentType,
      ...(length === undefined ? {} : { 'content-length': length }),
    })
    for await (const part of answer.parts) {
      signal.throwIfAborted()
      tap.push(part)
      if (!response.write(part)) await drained(response, signal)
    }
    response.end()
    return tap.end()
  } finally {
    answer.close()
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      response.off('drain', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    response.once('drain', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/** Returns the method, the response code and the cost of each call. */
function codes(
  status: number,
  { first, errors }: ObservedResponse,
  calls: Calls | undefined,
  counting: Counting,
): readonly (readonly [method: string, code: number, credits: number])[] {
  if (calls === undefined) return []
  // A node may answer a whole batch with a single error.
  const isOne = !calls.isBatch || first !== 0x5b
  const byId = new Map(errors.map(({ id, code }) => [id, code]))
  return calls.calls.map((call) => {
    const error = isOne ? errors[0]?.code : byId.get(call.key ?? '')
    return [call.method, responseCode(status, error), counting.costOf([call])]
  })
}

/** Sends an error response, or closes the connection if the answer has already started. */
function refuse(error: GatewayError, { request, response }: Exchange, calls: Calls | undefined): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const wait = retryAfter(error)
  const body = errorBody(error, calls)
  response.writeHead(REFUSALS[error.code].http, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(wait === undefined ? {} : { 'retry-after': wait }),
    // The gateway does not read the rest of the request, so the connection cannot be reused.
    ...(request.complete ? {} : { connection: 'close' }),
  })
  response.end(body)
}

function countRefusal(
  error: GatewayError,
  startedAt: number,
  { route, calls, isSpent = false }: Known,
  counting: Counting,
): void {
  if (route === undefined) return
  const { counted } = REFUSALS[error.code]
  if (calls === undefined) counting.refusal(route, counted, startedAt)
  for (const call of calls?.calls ?? []) {
    counting.call(route, call.method, counted, startedAt, isSpent ? counting.costOf([call]) : 0)
  }
}
