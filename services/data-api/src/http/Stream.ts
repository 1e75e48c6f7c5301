import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createOpenStreams, type OpenStreams } from './admission/OpenStreams.ts'
import * as ErrorBody from './ErrorBody.ts'
import { type DataApiErrorCode, isDataApiError } from './endpoint/DataApiError.ts'
import type { EventStream, StreamCall } from './endpoint/Endpoint.ts'
import type * as Parameter from './endpoint/Parameter.ts'
import type { RestOptions } from './RestPlugin.ts'
import { PATIENCE_MS, patiently, read, routeOf, whenGone } from './requests.ts'
import { addSockets, type Sockets } from './Sockets.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

type Options = Pick<RestOptions, 'access' | 'prefix' | 'streams' | 'log'> & {
  /** See {@link PATIENCE_MS}. */
  readonly patienceMs?: number | undefined
}

/** Adds the routes of streams. All of them end when the server closes. */
export function addStreams(
  server: FastifyInstance,
  options: Options,
  places: OpenStreams = createOpenStreams(),
): void {
  const { streams = [] } = options
  server.addHook('preClose', async () => places.close())
  const sockets = streams.some(({ openSocket }) => openSocket !== undefined)
    ? addSockets(server, () => places.isClosed)
    : undefined
  for (const stream of streams) addStream(server, stream, options, { places, sockets })
}

interface Shared {
  readonly places: OpenStreams
  readonly sockets: Sockets | undefined
}

function addStream(
  server: FastifyInstance,
  stream: EventStream,
  options: Options,
  { places, sockets }: Shared,
): void {
  const { access, patienceMs = PATIENCE_MS, log } = options
  const open = async (request: FastifyRequest, reply: FastifyReply, how: EventStream['open']) => {
    const { path, query } = await read(stream, request)
    const lastEventId = request.headers['last-event-id'] as string | undefined
    const listener = whenGone(reply)
    const leave = places.open(stream.path, await access.caller(request), listener)
    const stopPaying = payByMinute(stream, request, access, listener)
    const end = () => {
      leave()
      stopPaying()
    }
    reply.raw.once('close', end)
    const key = stream.needsKey === true ? await access.keyOf(request) : undefined
    const pay = async (units: number) => void (await access.charge(request, units))
    const call: StreamCall<Parameter.Specification, Parameter.Specification> = {
      ...{ path, query, key, lastEventId, pay, signal: listener.signal },
    }
    try {
      return translated(await how(call))
    } catch (error) {
      // The connection may stay open.
      end()
      throw error
    }
  }
  const slow = (request: FastifyRequest) =>
    log?.warn({ requestId: request.id, path: stream.path }, 'stream ended, because its reader was too slow')
  server.route({
    ...routeOf(stream, options, 'GET'),
    // Compression would delay the events.
    compress: false,
    handler: async (request, reply) => {
      const { openSocket } = stream
      if (openSocket !== undefined && sockets?.isHandshake(request.raw) === true) {
        const frames = await open(request, reply, openSocket)
        return sockets.accept(request, reply, frames, { patienceMs, onSlow: () => slow(request) })
      }
      const events = withEnd(await open(request, reply, stream.open))
      const onSlow = () => {
        slow(request)
        reply.raw.destroy()
      }
      return reply.headers(HEADERS).send(Readable.from(patiently(events, patienceMs, onSlow)))
    },
  })
}

const MINUTE_MS = 60_000
/** Errors after which a caller may not go on. Others, such as a lost connection to Redis, pass. */
const ENDING: readonly DataApiErrorCode[] = ['DATA_RATE_LIMIT', 'DATA_KEY', 'DATA_SCOPE']

/** Charges a stream for each minute while it is open, and ends it if its caller may not go on. Returns what stops that. */
function payByMinute(
  stream: EventStream,
  request: FastifyRequest,
  access: Options['access'],
  listener: AbortController,
): () => void {
  const { scope, needsKey = false, unitsPerMinute: units } = stream
  const timer = setInterval(() => {
    access.admit(request, { scope, units, needsKey }).catch((error: unknown) => {
      if (isDataApiError(error) && ENDING.includes(error.code)) listener.abort(error)
    })
  }, MINUTE_MS).unref()
  return () => clearInterval(timer)
}

/** Yields texts. Errors of the database become errors that callers understand. */
async function* translated(texts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    const known = ErrorBody.translate(error)
    throw known.code === 'DATA_INTERNAL' ? error : known
  }
}

/** Yields the events and, if an error of the service ends them, an event that says why. */
async function* withEnd(events: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* events
  } catch (error) {
    if (!isDataApiError(error)) throw error
    const { code, message } = error
    yield `event: end\ndata: ${JSON.stringify({ code, message })}\n\n`
  }
}
