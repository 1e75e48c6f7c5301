import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Logger, Statement } from '@firn/runtime'

/** A log of slow requests and statements, until it is closed. */
export interface SlowLog {
  close(): void
}

/** Options of {@link start}. */
export interface SlowLogOptions {
  /** Time in milliseconds from which a request or a statement is slow. 0 disables the log. */
  readonly slowThreshold: number
}

type Log = Pick<Logger, 'warn'>

/** A request in progress. */
interface Active {
  id: string
  route: string
  sqlMilliseconds: number
  statements: number
  rows: number
}

const REQUEST_CHANNEL = 'http.server.request.start'
const HANDLER_CHANNEL = 'tracing:fastify.request.handler:start'

/**
 * Starts to log slow requests to any HTTP server of this process, with the time and rows of their statements, and slow
 * statements with the id of their request. Never logs values: routes are patterns, and statements have placeholders.
 *
 * @example
 * ```ts
 * import { SlowLog } from '@firn/http'
 *
 * const log = { warn: (facts: object, message: string) => console.warn(message, facts) }
 * const slow = SlowLog.start({ slowThreshold: 1_000 }, log)
 * slow.close()
 * ```
 */
export function start({ slowThreshold }: SlowLogOptions, log: Log): SlowLog {
  if (slowThreshold === 0) return { close: () => undefined }
  const current = new AsyncLocalStorage<Active>()

  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const begin = performance.now()
    const active = {
      id: crypto.randomUUID(),
      route: routeOf(request),
      sqlMilliseconds: 0,
      statements: 0,
      rows: 0,
    }
    current.enterWith(active)
    // Events of the body are emitted outside of the request's context.
    const emit = request.emit.bind(request)
    request.emit = (...event: Parameters<typeof emit>) => current.run(active, () => emit(...event))
    response.once('close', () => {
      const milliseconds = performance.now() - begin
      if (milliseconds < slowThreshold || isStream(response)) return
      const { id: requestId, route, ...sql } = active
      const facts = { requestId, method: request.method, route, status: response.statusCode }
      log.warn(
        { ...facts, milliseconds: round(milliseconds), ...sql, sqlMilliseconds: round(sql.sqlMilliseconds) },
        'slow request',
      )
    })
  }
  const onHandler = (message: unknown) => {
    const active = current.getStore()
    if (active === undefined) return
    const { request, route } = message as { request: { id: string }; route: { url: string } }
    active.id = request.id
    active.route = route.url
  }
  const onStatement = (message: unknown) => {
    const { text, milliseconds, rows } = message as Statement.Statement
    const active = current.getStore()
    if (active !== undefined) {
      active.sqlMilliseconds += milliseconds
      active.statements += 1
      active.rows += rows
    }
    if (milliseconds < slowThreshold) return
    const facts = { requestId: active?.id, route: active?.route }
    log.warn(
      { ...facts, milliseconds: round(milliseconds), rows, statement: withoutValues(text) },
      'slow statement',
    )
  }
  const subscriptions = [
    [REQUEST_CHANNEL, onRequest],
    [HANDLER_CHANNEL, onHandler],
    [Statement.CHANNEL, onStatement],
  ] as const
  for (const [name, listener] of subscriptions) subscribe(name, listener)
  return {
    close: () => {
      for (const [name, listener] of subscriptions) unsubscribe(name, listener)
    },
  }
}

/**
 * Runs `work` with a log of slow requests and statements, and returns its result.
 *
 * @example
 * ```ts
 * import { SlowLog } from '@firn/http'
 *
 * const log = { warn: (facts: object, message: string) => console.warn(message, facts) }
 * await SlowLog.during({ slowThreshold: 1_000 }, log, async () => 'served')
 * ```
 */
export async function during<T>(options: SlowLogOptions, log: Log, work: () => Promise<T>): Promise<T> {
  const slow = start(options, log)
  try {
    return await work()
  } finally {
    slow.close()
  }
}

/**
 * Returns the part of a path that names no caller, for servers without route patterns: a path of the gateway may contain
 * a token.
 */
function routeOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?')
  return /^\/rpc\/[^/]{1,100}|^\/ext(?:\/[^/]{1,64}){1,3}/.exec(path)?.[0] ?? 'unknown'
}

/** Returns whether a response stays open until the caller closes it. */
function isStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

const MAX_TEXT = 500

/** Returns a statement without the strings and numbers that it contains. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/(?<![$\w.])\d+(?:\.\d+)?/g, '?')
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_TEXT)
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
