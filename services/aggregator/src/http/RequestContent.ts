import { RequestJson } from '@firn/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AggregatorError } from '../AggregatorError.ts'

/** Converts the text of a body to the value that a route uses. */
export type ToBody = (text: string) => unknown

/**
 * Lets the routes of `server` read their bodies: `toBody` converts the text of a body to `request.body`. Fastify does
 * not read them itself, because it closes the connection when it rejects a body, and a client that is still sending
 * then loses the response. Here, the rest of a rejected body is received and discarded while the response is sent; the
 * time-out of the server for receiving a request limits this.
 */
export function addReader(server: FastifyInstance, toBody: ToBody): void {
  server.addHook('preValidation', async (request) => {
    request.body = hasBody(request) ? toBody(await read(request)) : undefined
  })
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
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_BODY_TOO_LARGE`
 */
async function read({ raw, headers, routeOptions }: FastifyRequest): Promise<string> {
  const { bodyLimit = Number.POSITIVE_INFINITY } = routeOptions
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = Number(headers['content-length'] ?? 0) > bodyLimit ? Number.POSITIVE_INFINITY : 0
    const refuse = () => {
      length = Number.POSITIVE_INFINITY
      chunks.length = 0
      reject(tooLarge(bodyLimit))
    }
    raw.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > bodyLimit) refuse()
      else chunks.push(chunk)
    })
    raw.on('end', () => resolve(Buffer.concat(chunks).toString()))
    raw.on('error', (cause) => reject(interrupted(cause)))
    if (length > bodyLimit) refuse()
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
