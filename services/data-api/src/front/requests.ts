import type { FastifyReply, FastifyRequest } from 'fastify'
import { DataApiError } from '../DataApiError.ts'
import type { Access } from './Access.ts'
import type { Endpoint, Method } from './Endpoint.ts'
import * as Parameter from './Parameter.ts'
import * as Route from './Route.ts'

/** Returns the route of an endpoint in the format of fastify. */
export function routeOf(
  endpoint: Pick<Endpoint, 'path'>,
  { prefix = '' }: { readonly prefix?: string },
  method: Method,
) {
  return {
    method,
    url: prefix + Route.toPattern(endpoint.path),
    config: { endpoint: endpoint.path },
    /**
     * Disables fastify's validation. The handler checks the parameters itself, after the key and the rate
     * limit, and its errors name the allowed values.
     */
    validatorCompiler: () => () => true,
    /**
     * Bodies are already serialized, because fastify's own serialization would not keep 64-bit numbers exact.
     */
    serializerCompiler: () => (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

/**
 * Returns the parameters of a request.
 * @throws DataApiError `DATA_PARAMETER`
 */
export async function read(
  { pathParameters, queryParameters }: Pick<Endpoint, 'pathParameters' | 'queryParameters'>,
  request: FastifyRequest,
) {
  const params = request.params as Readonly<Record<string, string>>
  const texts = request.query as Readonly<Record<string, string | string[]>>
  await Parameter.prepare(pathParameters, params)
  const path = Parameter.read(pathParameters, params)
  await Parameter.prepare(queryParameters, texts)
  return { path, query: Parameter.read(queryParameters, texts) }
}

/**
 * Checks the key and the rate limit of a request, and adds the rate-limit headers to the response. If the
 * request is rejected, the thrown error contains the headers.
 */
export async function admit(
  endpoint: Pick<Endpoint, 'scope' | 'units' | 'isOpen' | 'needsKey'>,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('x-compute-units', String(endpoint.units))
  reply.headers(await access.admit(request, endpoint))
}

/** Returns a controller that aborts when the caller disconnects. */
export function whenGone(reply: FastifyReply): AbortController {
  const gone = new AbortController()
  const reason = () => new DataApiError('DATA_UNAVAILABLE', 'the caller closed the connection')
  reply.raw.once('close', () => gone.abort(reason()))
  return gone
}
