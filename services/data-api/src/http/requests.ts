import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Entrance } from './admission/Admission.ts'
import { DataApiError } from './endpoint/DataApiError.ts'
import type { Endpoint, Method } from './endpoint/Endpoint.ts'
import * as Parameter from './endpoint/Parameter.ts'
import * as Route from './Route.ts'

/** Value of the header `cache-control` of what never changes. */
export const FOREVER = 'public, max-age=31536000, immutable'

/** Returns the route of an endpoint in the format of fastify. */
export function routeOf(
  endpoint: Pick<Endpoint, 'path'> & Entrance,
  { prefix = '' }: { readonly prefix?: string },
  method: Method,
) {
  return {
    method,
    url: prefix + Route.toPattern(endpoint.path),
    config: { endpoint: endpoint.path, entrance: entranceOf(endpoint) },
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

/** Returns what a route checks before the body. Its cost is known without the parameters. */
const entranceOf = ({ scope, units, isOpen = false, needsKey = false }: Entrance): Entrance => ({
  ...{ scope, units, isOpen, needsKey },
})

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

/** Returns a controller that aborts when the caller disconnects. */
export function whenGone(reply: FastifyReply): AbortController {
  const gone = new AbortController()
  const reason = () => new DataApiError('DATA_UNAVAILABLE', 'the caller closed the connection')
  reply.raw.once('close', () => gone.abort(reason()))
  return gone
}

/** Time in milliseconds after which a caller that accepts no data is disconnected. */
export const PATIENCE_MS = 60_000

/** Yields parts of a response, and calls `onSlow` if nobody asks for the next one in time. */
export async function* patiently<T>(
  parts: AsyncIterable<T>,
  patienceMs: number,
  onSlow: () => void,
): AsyncGenerator<T> {
  for await (const part of parts) {
    const timer = setTimeout(onSlow, patienceMs)
    try {
      yield part
    } finally {
      clearTimeout(timer)
    }
  }
}
