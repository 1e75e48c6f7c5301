import { Json } from '@firn/codec'
import { isRpcError, type MethodTable, type Params, type Result, RpcError, Schema } from '@firn/rpc'
import { type Budget, UNLIMITED } from './CallerLimits.ts'
import { createResolver, decodeRequest, type Failure, type Request } from './internal/envelope.ts'
import { splitAtId } from './internal/requestText.ts'
import { answerUnits, elementUnits, requestedUnits } from './internal/sizes.ts'
import * as Units from './Units.ts'

/**
 * One handler per method of the table. If a handler throws, the error response contains the exception's
 * message.
 */
export type Handlers<T extends MethodTable> = {
  readonly [M in keyof T]: (params: Params<T, M>) => Result<T, M> | Promise<Result<T, M>>
}

/** A service's response to one request body. */
export interface Answer {
  /** JSON text with a trailing newline; undefined for a notification, which gets no response. */
  readonly body: string | undefined
  /** UTF-8 bytes to send before {@link body}. They are set if a large result comes from the cache. */
  readonly head?: Uint8Array
  /**
   * Whether a method ran, successfully or not. The node sends `X-Content-Type-Options: nosniff` only in this
   * case.
   */
  readonly invoked: boolean
  /** Milliseconds until the caller can afford the call; undefined for all other responses. */
  readonly waitMs?: number
}

/** The implementation of a method table, which can be mounted on any path. */
export interface Service {
  /** Names of the methods that it serves. */
  readonly methods: readonly string[]
  /**
   * Handles one request body, and takes the units of the call from the caller's budget, which is unlimited by default. A
   * cached response whose validity needs no check is returned synchronously, and takes no units. Never throws.
   */
  handle(body: Uint8Array, budget?: Budget): Answer | Promise<Answer>
}

/**
 * Cache of results, so that a repeated request is neither parsed nor executed. The key is the text of the
 * request without its id. A result is cached only after the request was parsed and answered successfully.
 */
export interface ResultMemory {
  /** Returns the stored start of the response to the request with the given key, if it is still valid. */
  find(key: string): Remembered | undefined | Promise<Remembered | undefined>
  /**
   * Called before a method runs. Returns a function that stores the start of the response; undefined if it should not
   * be stored.
   */
  begin(key: string, method: string): Keep | undefined | Promise<Keep | undefined>
}

/** Stores a text in the cache: the start of a response, up to the id. */
export type Keep = (text: string) => void

/** A text or its UTF-8 bytes. Long texts are stored as bytes, because bytes are cheaper to send. */
export type Remembered = string | Uint8Array

/** Options of {@link createService}. */
export interface ServiceOptions {
  /** Called with exceptions other than {@link RpcError}. The client gets their message in any case. */
  readonly onError?: (error: unknown, method: string) => void
  readonly memory?: ResultMemory
  /** Units of a call of each method, in addition to the units of its request; by default none. */
  readonly units?: Readonly<Record<string, number>>
}

const ARGUMENT_ERROR =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"

/**
 * Creates a service with a node's JSON-RPC envelope: it uses the node's error codes and texts, executes
 * notifications, and repeats ids byte for byte. Methods missing from `handlers` are reported as unknown.
 * @example
 * ```ts
 * import { createService } from '@firn/node-api'
 * import { PlatformMethods } from '@firn/rpc'
 *
 * const handlers = { 'platform.getHeight': () => ({ height: 85n }) }
 * const service = createService(PlatformMethods, handlers)
 * const body = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'
 * const answer = await service.handle(new TextEncoder().encode(body))
 * ```
 */
export function createService<const T extends MethodTable>(
  table: T,
  handlers: Partial<Handlers<T>>,
  options: ServiceOptions = {},
): Service {
  const run = createRunner(table, handlers as Partial<Handlers<MethodTable>>, options)
  const { memory } = options
  const methods = Object.keys(handlers)
  return {
    methods,
    handle(body, budget = UNLIMITED) {
      const runFor: Runner = (request) => run(request, budget)
      return memory === undefined ? answer(body, runFor) : remembered(body, runFor, memory)
    },
  }
}

type Outcome =
  | { readonly invoked: boolean; readonly result: string }
  | { readonly invoked: boolean; readonly failure: Failure }
  | { readonly invoked: false; readonly waitMs: number }
type Runner = (request: Request) => Promise<Outcome>

function remembered(body: Uint8Array, run: Runner, memory: ResultMemory): Answer | Promise<Answer> {
  const split = splitAtId(body)
  if (split === undefined) return answer(body, run)
  const found = memory.find(split.key)
  if (found !== undefined && !(found instanceof Promise)) return withId(found, split.id)
  return remember(body, split, found, run, memory)
}

async function remember(
  body: Uint8Array,
  { key, id }: { readonly key: string; readonly id: string },
  found: Promise<Remembered | undefined> | undefined,
  run: Runner,
  memory: ResultMemory,
): Promise<Answer> {
  const text = await found
  if (text !== undefined) return withId(text, id)
  return answer(body, async (request) => {
    const keep = await memory.begin(key, request.method)
    const outcome = await run(request)
    if ('result' in outcome) keep?.(head(`"result":${outcome.result}`))
    return outcome
  })
}

async function answer(body: Uint8Array, run: Runner): Promise<Answer> {
  const decoded = decodeRequest(body)
  if (decoded.kind === 'failure') {
    const text = decoded.answered ? json(errorMember(decoded.failure), decoded.id) : undefined
    return { body: text, invoked: false }
  }
  const outcome = await run(decoded.request)
  const { invoked } = outcome
  if ('waitMs' in outcome) return { body: undefined, invoked, waitMs: outcome.waitMs }
  if (decoded.request.id === undefined) return { body: undefined, invoked }
  const member = 'failure' in outcome ? errorMember(outcome.failure) : `"result":${outcome.result}`
  return { body: json(member, decoded.request.id), invoked }
}

/**
 * Returns the start of a response's JSON: everything before the value of `id`. `member` is the result or error
 * member.
 */
function head(member: string): string {
  return `{"jsonrpc":"2.0",${member},"id":`
}

function withId(remembered: Remembered, id: string): Answer {
  const end = `${id}}\n`
  if (typeof remembered === 'string') return { body: remembered + end, invoked: true }
  return { head: remembered, body: end, invoked: true }
}

function json(member: string, id: string | undefined): string {
  return `${head(member)}${id ?? 'null'}}\n`
}

function errorMember({ code, message, data }: Failure): string {
  return `"error":{"code":${code},"message":${Json.stringify(message)},"data":${data}}`
}

function failed(message: string, invoked: boolean, code = -32000, data = 'null'): Outcome {
  return { invoked, failure: { code, message, data } }
}

function createRunner(
  table: MethodTable,
  handlers: Partial<Handlers<MethodTable>>,
  { onError, units = {} }: ServiceOptions,
): (request: Request, budget: Budget) => Promise<Outcome> {
  const resolve = createResolver(Object.keys(handlers))
  return async ({ method: name, params }, budget) => {
    const refusal = resolve(name)
    if (refusal !== undefined) return failed(refusal, false)
    const waitMs = budget.take((units[name] ?? 0) - Units.REQUEST + elementUnits(params))
    if (waitMs > 0) return { invoked: false, waitMs }
    const schema = table[name] as MethodTable[string]
    try {
      const parsed = accept(schema.params, params)
      if (parsed === undefined) return failed(ARGUMENT_ERROR, false)
      const moreMs = budget.take(requestedUnits(name, parsed.value))
      if (moreMs > 0) return { invoked: false, waitMs: moreMs }
      const returned = await (handlers[name] as (params: unknown) => unknown)(parsed.value)
      const result = Json.stringify(schema.result.format(returned as never, 'result'))
      budget.charge(answerUnits(result.length))
      return { invoked: true, result }
    } catch (error) {
      return handlerFailure(error, name, onError)
    }
  }
}

function accept(
  schema: MethodTable[string]['params'],
  params: unknown,
): { readonly value: unknown } | undefined {
  const argument = Schema.argumentOf(params)
  if (argument === undefined) return undefined
  try {
    return { value: schema.accept(argument, 'params') }
  } catch (error) {
    if (isRpcError(error)) return undefined
    throw error
  }
}

/**
 * Returns the error response for an exception of a handler. An `RPC_REMOTE` error keeps its code, text and
 * data, so that a proxy can return the upstream's error unchanged.
 */
function handlerFailure(error: unknown, name: string, onError: ServiceOptions['onError']): Outcome {
  if (isRpcError(error) && error.code === 'RPC_REMOTE') {
    const { rpcCode = -32000, rpcMessage = error.message, data = null } = error.details
    return failed(rpcMessage, true, rpcCode, Json.stringify(data as Json.Json))
  }
  onError?.(error, name)
  return failed(error instanceof Error ? error.message : String(error), true)
}

/**
 * Creates an error that makes the response contain the given text and code; the code defaults to -32000.
 * @example
 * ```ts
 * import { createService, methodError } from '@firn/node-api'
 * import { PlatformMethods } from '@firn/rpc'
 *
 * const service = createService(PlatformMethods, {
 *   'platform.getHeight': () => {
 *     throw methodError('the chain is not bootstrapped')
 *   },
 * })
 * ```
 */
export function methodError(message: string, code = -32000): RpcError {
  return new RpcError('RPC_REMOTE', message, { details: { rpcCode: code, rpcMessage: message } })
}
