import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DataApiError, isDataApiError } from '../DataApiError.ts'
import type { EventStream, StreamCall } from './Endpoint.ts'
import type { FrontOptions } from './Front.ts'
import type * as Parameter from './Parameter.ts'
import { read, routeOf, whenGone } from './requests.ts'
import { addSockets, type Sockets } from './Sockets.ts'

/** Maximum number of callers that listen to one event stream. Each of them keeps a connection open. */
const MOST_LISTENERS = 1_000
/** Time in milliseconds after which a caller that accepts no data is disconnected. */
const PATIENCE_MS = 60_000
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

type Options = Pick<FrontOptions, 'access' | 'prefix' | 'streams' | 'log'> & {
  /** See {@link PATIENCE_MS}. */
  readonly patienceMs?: number | undefined
}

/** Adds the routes of streams. All of them end when the server closes. */
export function addStreams(server: FastifyInstance, options: Options): void {
  const { streams = [] } = options
  const listeners = createListeners()
  server.addHook('preClose', async () => listeners.close())
  const sockets = streams.some(({ openSocket }) => openSocket !== undefined)
    ? addSockets(server, () => listeners.isClosed)
    : undefined
  for (const stream of streams) addStream(server, stream, options, { listeners, sockets })
}

/** The callers that listen to the streams of a server. */
interface Listeners {
  readonly isClosed: boolean
  /** Adds a caller until it disconnects. @throws DataApiError `DATA_UNAVAILABLE` if there are too many */
  add(stream: EventStream, reply: FastifyReply): AbortSignal
  /** Tells all callers that the service is shutting down. */
  close(): void
}

function createListeners(): Listeners {
  const byStream = new Map<EventStream, Set<AbortController>>()
  const end = (listener: AbortController) =>
    listener.abort(new DataApiError('DATA_UNAVAILABLE', 'the service is shutting down; connect again'))
  let isClosed = false
  return {
    get isClosed() {
      return isClosed
    },
    add(stream, reply) {
      const listeners = byStream.get(stream) ?? new Set()
      byStream.set(stream, listeners)
      if (listeners.size >= MOST_LISTENERS) {
        const message = `too many event listeners (${listeners.size}); try again later`
        throw new DataApiError('DATA_UNAVAILABLE', message)
      }
      const listener = whenGone(reply)
      listeners.add(listener)
      reply.raw.once('close', () => listeners.delete(listener))
      if (isClosed) end(listener)
      return listener.signal
    },
    close() {
      isClosed = true
      for (const listeners of byStream.values()) for (const listener of listeners) end(listener)
    },
  }
}

interface Shared {
  readonly listeners: Listeners
  readonly sockets: Sockets | undefined
}

function addStream(
  server: FastifyInstance,
  stream: EventStream,
  options: Options,
  { listeners, sockets }: Shared,
): void {
  const { patienceMs = PATIENCE_MS, log } = options
  const open = async (request: FastifyRequest, reply: FastifyReply, how: EventStream['open']) => {
    const { path, query } = await read(stream, request)
    const lastEventId = request.headers['last-event-id'] as string | undefined
    const signal = listeners.add(stream, reply)
    const key = stream.needsKey === true ? await options.access.keyOf(request) : undefined
    const call: StreamCall<Parameter.Specification, Parameter.Specification> = {
      ...{ path, query, key, lastEventId, signal },
    }
    return how(call)
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
      const events = told(await open(request, reply, stream.open))
      const onSlow = () => {
        slow(request)
        reply.raw.destroy()
      }
      return reply.headers(HEADERS).send(Readable.from(patiently(events, patienceMs, onSlow)))
    },
  })
}

/** Yields the events and, if an error of the service ends them, an event that says why. */
async function* told(events: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* events
  } catch (error) {
    if (!isDataApiError(error)) throw error
    const { code, message } = error
    yield `event: end\ndata: ${JSON.stringify({ code, message })}\n\n`
  }
}

/** Yields texts, and calls `onSlow` if nobody asks for the next one in time. */
async function* patiently(
  texts: AsyncIterable<string>,
  patienceMs: number,
  onSlow: () => void,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(onSlow, patienceMs)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}
