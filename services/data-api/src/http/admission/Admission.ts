import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DataApiError } from '../endpoint/DataApiError.ts'
import type { Endpoint } from '../endpoint/Endpoint.ts'
import type { Access } from './Access.ts'

/** Largest body of a request in bytes. */
export const BODY_LIMIT = 1_048_576
/** Each further unit of a request's cost pays for so many bytes of its body. */
export const BYTES_PER_UNIT = 16_384
/** Compute units of a request for an unknown path, and of one for a page that is no endpoint, such as `/docs`. */
export const LEAST_UNITS = 1

/** What a route checks before it reads the body of a request. */
export type Entrance = Pick<Endpoint, 'scope' | 'units' | 'isOpen' | 'needsKey'>

/**
 * Adds hooks to all routes of a server that check the key and the rate limit of each request before its body is read.
 * The size of the body counts: as the request states it, or as it arrives. Requests for unknown paths end here.
 */
export function addAdmission(server: FastifyInstance, access: Access): void {
  server.addHook('onRequest', async (request, reply) => {
    const entrance = entranceOf(request)
    const units = leastUnitsOf(request) + unitsOf(statedBytes(request))
    reply.header('x-compute-units', String(units))
    const admitted =
      entrance === undefined ? access.charge(request, units) : access.admit(request, { ...entrance, units })
    reply.headers(await admitted)
    if (request.is404) throw notFound(request)
  })
  server.addHook('preParsing', async (request, reply, payload) => {
    if (!hasUnstatedBody(request) || entranceOf(request)?.isOpen === true) return payload
    const meter = createMeter(async (units) => void reply.headers(await access.charge(request, units)))
    payload.once('error', (error) => meter.destroy(error))
    return payload.pipe(meter)
  })
}

/** Returns the error of a request for an unknown path. */
export function notFound({ method, url }: FastifyRequest): DataApiError {
  const [path = ''] = url.split('?')
  const message = `Cannot ${method} ${path.slice(0, 200)}; GET /docs lists all endpoints`
  return new DataApiError('DATA_ROUTE', message)
}

/** Returns the cost of a request without its body. The route of a page may have its own. */
function leastUnitsOf(request: FastifyRequest): number {
  const { units } = (request.routeOptions.config ?? {}) as { readonly units?: number }
  return entranceOf(request)?.units ?? units ?? LEAST_UNITS
}

/** Returns what the route of a request checks; undefined for unknown paths and for pages that are no endpoint. */
function entranceOf({ routeOptions }: FastifyRequest): Entrance | undefined {
  return (routeOptions.config as { readonly entrance?: Entrance } | undefined)?.entrance
}

/** Returns the size of a body that the request states; 0 if the body is too large to be read. */
function statedBytes({ headers }: FastifyRequest): number {
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes <= BODY_LIMIT ? bytes : 0
}

/** Returns whether a request has a body whose size is not known yet. Bodies of GET requests are not read. */
function hasUnstatedBody({ method, headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined && method !== 'GET' && method !== 'HEAD'
}

const unitsOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_UNIT)

/** Returns a stream that passes on what it gets as soon as it is paid for. */
function createMeter(charge: (units: number) => Promise<void>): Transform {
  let [bytes, paid] = [0, 0]
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      bytes += chunk.length
      // The limit of the body's size ends a request that sends more.
      const due = unitsOf(Math.min(bytes, BODY_LIMIT)) - paid
      paid += due
      if (due === 0) return done(null, chunk)
      charge(due).then(() => done(null, chunk), done)
    },
  })
}
