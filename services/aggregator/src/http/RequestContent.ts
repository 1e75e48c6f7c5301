import { RateLimiter, RequestJson } from '@firn/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BYTES_PER_UNIT, type RequestLimit } from '../callers/RequestLimit.ts'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { HeldBytes } from '../load/HeldBytes.ts'

/** Converts the text of a body to the value that a route uses. */
export type ToBody = (text: string) => unknown

/** Limits for the bytes of a body beyond the first ones, which the request has paid for. */
export interface Limits {
  readonly limit: RequestLimit
  readonly heldBytes: HeldBytes
}

/**
 * Lets the routes of `server` read their bodies: `toBody` converts the text of a body to `request.body`. Fastify does
 * not read them itself, because it closes the connection when it rejects a body, and a client that is still sending
 * then loses the response. Here, the rest of a rejected body is received and discarded while the response is sent.
 * A request that does not state the size of its body pays for it, and holds memory, while it arrives.
 */
export function addReader(server: FastifyInstance, toBody: ToBody, limits: Limits): void {
  server.addHook('preValidation', async (request, reply) => {
    const pay = createPayer(request, reply, limits)
    request.body = hasBody(request) ? toBody(await read(request, pay)) : undefined
  })
}

function createPayer(request: FastifyRequest, reply: FastifyReply, { limit, heldBytes }: Limits) {
  const releases: (() => void)[] = []
  reply.raw.once('close', () => {
    for (const release of releases) release()
  })
  return (units: number) => {
    limit.take(request, reply, units)
    releases.push(heldBytes.hold(units * BYTES_PER_UNIT))
  }
}

/** Lets the server accept any content type, also an empty or invalid one, as the Go service does. */
export function ignoreContentType(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = 'application/json'
  })
}

/**
 * Parses JSON within the bounds of requests. Integers beyond 2^53 keep their exact value. Returns undefined for an empty text.
 * @throws AggregatorError `AGGREGATOR_BODY`
 */
export function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : RequestJson.parse(text)
  } catch (cause) {
    throw new AggregatorError('AGGREGATOR_BODY', `body: ${(cause as Error).message}`, {
      details: { field: 'body' },
      cause,
    })
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request as text, up to the size limit of its route.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_BODY_TOO_LARGE`, `AGGREGATOR_RATE_LIMIT`, `AGGREGATOR_BUSY`
 */
async function read(
  { raw, headers, routeOptions }: FastifyRequest,
  pay: (units: number) => void,
): Promise<string> {
  const { bodyLimit = Number.POSITIVE_INFINITY } = routeOptions
  const stated = headers['content-length']
  if (Number(stated ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let [length, paid] = [0, 1]
    const onData = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      try {
        if (length > bodyLimit) throw tooLarge(bodyLimit)
        const due = stated === undefined ? RateLimiter.bodyUnits(length, BYTES_PER_UNIT) - paid : 0
        if (due > 0) pay(due)
        paid += Math.max(0, due)
      } catch (error) {
        raw.off('data', onData)
        chunks.length = 0
        reject(error)
      }
    }
    raw.on('data', onData)
    raw.on('end', () => resolve(Buffer.concat(chunks).toString()))
    raw.on('error', (cause) => reject(interrupted(cause)))
  })
}

function tooLarge(limit: number): AggregatorError {
  return new AggregatorError('AGGREGATOR_BODY_TOO_LARGE', `body: expected at most ${limit} bytes`)
}

function interrupted(cause: Error): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_BODY',
    `body: the connection was closed before the end of the body`,
    { cause },
  )
}
