import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as HttpRules from './HttpRules.ts'
import type { MethodTable } from './MethodTable.ts'
import { createService, type Handlers, type Service, type ServiceOptions } from './Service.ts'

/** Where and how a table is served. */
export interface ServerOptions extends ServiceOptions {
  /** Every path that answers, such as `/ext/P` and `/ext/bc/P`. */
  readonly paths: readonly string[]
  /** The largest request body, in bytes; 1 MiB if not given. */
  readonly bodyLimit?: number
}

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
  const service = createService(table, handlers, options)
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const url of options.paths) {
      app.route({
        method: [...METHODS],
        url,
        ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
        onRequest: refuseByHead,
        handler: (request, reply) => answer(request, reply, service),
      })
    }
  }
}

/** Before fastify looks at the body: it has its own opinion of content types. */
async function refuseByHead(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const refusal = HttpRules.serviceRefusal(request.method, request.headers['content-type'])
  if (refusal === undefined) return undefined
  return reply.code(refusal.status).header('content-type', HttpRules.TEXT_TYPE).send(refusal.body)
}

async function answer(request: FastifyRequest, reply: FastifyReply, service: Service): Promise<FastifyReply> {
  const { head, body, invoked } = await service.handle(
    Buffer.isBuffer(request.body) ? request.body : new Uint8Array(0),
  )
  if (invoked) reply.header('X-Content-Type-Options', 'nosniff')
  if (body === undefined) return reply.send()
  const whole = head === undefined ? body : Buffer.concat([head, Buffer.from(body)])
  return reply.header('content-type', HttpRules.JSON_TYPE).send(whole)
}
