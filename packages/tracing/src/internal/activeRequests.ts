import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request to a server of this process that is in progress. */
export interface ActiveRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The id that fastify gave to the request; a random one for other servers. */
  id: string
  /** Pattern of the path. It never contains a value that a caller has chosen. */
  route: string
  /** Id of the trace that records the request. */
  traceId?: string
}

/** Called with each request when it starts. What it enters into asynchronous storages lasts for the request. */
export type Watcher = (active: ActiveRequest) => void

const REQUEST_CHANNEL = 'http.server.request.start'
const HANDLER_CHANNEL = 'tracing:fastify.request.handler:start'

const storage = new AsyncLocalStorage<ActiveRequest>()
const watchers = new Set<Watcher>()

/** Returns the request for which the current code runs, if requests are watched. */
export function current(): ActiveRequest | undefined {
  return storage.getStore()
}

/** Calls `watcher` for each request to any HTTP server of this process. Returns a function that ends it. */
export function watch(watcher: Watcher): () => void {
  if (watchers.size === 0) {
    subscribe(REQUEST_CHANNEL, onRequest)
    subscribe(HANDLER_CHANNEL, onHandler)
  }
  watchers.add(watcher)
  return () => {
    if (!watchers.delete(watcher) || watchers.size > 0) return
    unsubscribe(REQUEST_CHANNEL, onRequest)
    unsubscribe(HANDLER_CHANNEL, onHandler)
  }
}

function onRequest(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const active: ActiveRequest = { request, response, id: crypto.randomUUID(), route: routeOf(request) }
  storage.enterWith(active)
  for (const watcher of watchers) watcher(active)
  // Events of the body are emitted outside of the request's context.
  const emit = request.emit.bind(request)
  const inContext = AsyncLocalStorage.snapshot()
  request.emit = (...event: Parameters<typeof emit>) => inContext(emit, ...event)
}

function onHandler(message: unknown): void {
  const active = current()
  if (active === undefined) return
  const { request, route } = message as { request: { id: string }; route: { url: string } }
  active.id = request.id
  active.route = route.url
}

/**
 * Returns the part of a path that names no caller, for servers without route patterns: a path of the gateway may contain
 * a token.
 */
function routeOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?')
  return /^\/rpc\/[^/]{1,100}|^\/ext(?:\/[^/]{1,64}){1,3}/.exec(path)?.[0] ?? 'unknown'
}
