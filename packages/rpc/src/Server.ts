import { Json } from '@firn/codec'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { argumentOf, decodeRequest, type Failure, type Request, resolveMethod } from './internal/envelope.ts'
import type { MethodTable, Params, Result } from './MethodTable.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** One function per method of the table. What it throws becomes the answer's error: its message is the text. */
export type Handlers<T extends MethodTable> = {
  readonly [M in keyof T]: (params: Params<T, M>) => Result<T, M> | Promise<Result<T, M>>
}

/** Where and how a table is served. */
export interface ServerOptions {
  /** Every path that answers, such as `/ext/P` and `/ext/bc/P`. */
  readonly paths: readonly string[]
  /** Sees what a handler threw that is not an {@link RpcError}; the caller gets its message all the same. */
  readonly onError?: (error: unknown, method: string) => void
  /** The largest request body, in bytes; 1 MiB if not given. */
  readonly bodyLimit?: number
}

const ARGUMENT_ERROR =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

/**
 * Returns a fastify plugin that serves a method table with a node's envelope and HTTP rules (405, 415, HTTP 200 for every
 * JSON-RPC error, notifications run and answered by an empty body). A method outside of `handlers` is unknown to callers.
 */
export function server<const T extends MethodTable>(
  table: T,
  handlers: Partial<Handlers<T>>,
  options: ServerOptions,
): FastifyPluginAsync {
  const run = createRunner(table, handlers as Partial<Handlers<MethodTable>>, options.onError)
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const url of options.paths) {
      app.route({
        method: [...METHODS],
        url,
        ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
        onRequest: refuseByHead,
        handler: (request, reply) => answer(request, reply, run),
      })
    }
  }
}

/** Before fastify looks at the body: it has its own opinion of content types. */
async function refuseByHead(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.method !== 'POST') {
    return plain(reply, 405, `rpc: POST method required, received ${request.method}`)
  }
  const type = (request.headers['content-type'] ?? '').split(';')[0] as string
  if (type.toLowerCase() === 'application/json') return undefined
  return plain(reply, 415, `rpc: unrecognized Content-Type: ${type}`)
}

type Outcome =
  | { readonly invoked: boolean; readonly result: string }
  | { readonly invoked: boolean; readonly failure: Failure }
type Runner = (request: Request) => Promise<Outcome>

async function answer(request: FastifyRequest, reply: FastifyReply, run: Runner): Promise<FastifyReply> {
  const decoded = decodeRequest(Buffer.isBuffer(request.body) ? request.body : new Uint8Array(0))
  if (decoded.kind === 'failure') {
    return decoded.answered ? json(reply, errorMember(decoded.failure), decoded.id) : reply.send()
  }
  const outcome = await run(decoded.request)
  if (outcome.invoked) reply.header('X-Content-Type-Options', 'nosniff')
  if (decoded.request.id === undefined) return reply.send()
  const member = 'failure' in outcome ? errorMember(outcome.failure) : `"result":${outcome.result}`
  return json(reply, member, decoded.request.id)
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text)
}

function json(reply: FastifyReply, member: string, id: string | undefined): FastifyReply {
  const body = `{"jsonrpc":"2.0",${member},"id":${id ?? 'null'}}\n`
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
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
  onError: ServerOptions['onError'],
): Runner {
  return async ({ method: name, params }) => {
    const resolved = resolveMethod(name, handlers)
    if (!resolved.ok) return failed(resolved.message, false)
    const schema = table[name] as MethodTable[string]
    const parsed = accept(schema.params, params)
    if (parsed === undefined) return failed(ARGUMENT_ERROR, false)
    try {
      const result = await (handlers[name] as (params: unknown) => unknown)(parsed.value)
      return {
        invoked: true,
        result: Json.stringify(schema.result.format(result as never, 'result')),
      }
    } catch (error) {
      return handlerFailure(error, name, onError)
    }
  }
}

function accept(
  schema: MethodTable[string]['params'],
  params: unknown,
): { readonly value: unknown } | undefined {
  const argument = argumentOf(params)
  if (argument === undefined) return undefined
  try {
    return { value: schema.accept(argument, 'params') }
  } catch (error) {
    if (isRpcError(error)) return undefined
    throw error
  }
}

/** An `RPC_REMOTE` error keeps its code, text and data, so that a proxy can pass on what it was told. */
function handlerFailure(error: unknown, name: string, onError: ServerOptions['onError']): Outcome {
  if (isRpcError(error) && error.code === 'RPC_REMOTE') {
    const { rpcCode = -32000, rpcMessage = error.message, data = null } = error.details
    return failed(rpcMessage, true, rpcCode, Json.stringify(data as Json.Json))
  }
  onError?.(error, name)
  return failed(error instanceof Error ? error.message : String(error), true)
}

/** Returns the error that a handler throws to answer with this text, code -32000 unless another is given. */
export function methodError(message: string, code = -32000): RpcError {
  return new RpcError('RPC_REMOTE', message, { details: { rpcCode: code, rpcMessage: message } })
}
