import type { FastifyInstance, FastifyReply } from 'fastify'
import * as HttpRules from './HttpRules.ts'

/** The rules of a node's HTTP server that lie around its methods. */
export interface NodeHttpOptions extends HttpRules.RulesOptions {}

/** Gives a fastify app the node's headers, cross-origin rules, host filter, path cleaning and plain 404. */
export function nodeHttp(app: FastifyInstance, options: NodeHttpOptions): void {
  const rules = HttpRules.create(options)
  app.addHook('onRequest', async (request, reply) => {
    const { headers, refusal } = rules.judge(request)
    setHeaders(reply, headers)
    if (refusal !== undefined) return refuse(reply, refusal)
    const target = HttpRules.targetOf(request.url)
    if (target !== undefined && 'location' in target)
      return reply.code(301).header('Location', target.location).send()
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, HttpRules.NOT_FOUND))
}

function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  const values = new Map<string, string[]>()
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at] as string, headers[at + 1] as string]
    values.set(name, [...(values.get(name) ?? []), value])
  }
  for (const [name, all] of values) reply.header(name, all.length === 1 ? all[0] : all)
}

function refuse(reply: FastifyReply, { status, body }: HttpRules.Refusal): FastifyReply {
  if (body === '') return reply.code(status).send()
  return reply
    .code(status)
    .header('content-type', HttpRules.TEXT_TYPE)
    .header('X-Content-Type-Options', 'nosniff')
    .send(body)
}
