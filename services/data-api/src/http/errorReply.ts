import type { Logger } from '@firn/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT } from './admission/Admission.ts'
import * as ErrorBody from './ErrorBody.ts'

/** Default value of the Retry-After header. */
const RETRY_AFTER_SECONDS = '1'

/** Makes all errors of a server's routes responses of the same format, and logs them. */
export function addErrorReply(server: FastifyInstance, log: Logger): void {
  server.setErrorHandler((error, request, reply) => {
    const body = ErrorBody.of(error)
    if (body.statusCode === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    const headers = (error as { details?: { headers?: Record<string, string> } }).details?.headers
    if (headers !== undefined) reply.headers(headers)
    endUnread(request, reply)
    const [path] = request.url.split('?')
    const { code } = ErrorBody.translate(error)
    const facts = { requestId: request.id, method: request.method, path, code }
    if (body.statusCode < 500) log.debug({ ...facts, reason: body.message }, 'request rejected')
    else if (body.statusCode === 500) log.error({ ...facts, err: error }, 'request failed')
    else log.warn({ ...facts, err: error }, 'request failed')
    return reply.code(body.statusCode).send(body)
  })
}

/**
 * Ends the connection after an error if more of the request's body may arrive than the service would read. Otherwise the
 * rest is discarded, so that the caller can read the response and use the connection again.
 */
function endUnread({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete !== false) return
  const isBounded =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= BODY_LIMIT
  if (!isBounded) reply.header('connection', 'close')
}
