import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { AggregatorError } from './errors/AggregatorError.ts'
import { app, serverOptions } from './http/App.ts'
import type { AppDependencies } from './http/AppDependencies.ts'

/** The HTTP interface for callers in the same process, without a socket. */
export interface InProcess {
  /**
   * Responds like the HTTP interface, but does not check API keys and rate limits, because the calling
   * service has already checked its own callers. Only the path and the query of the URL are used.
   */
  fetch(url: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/**
 * Creates the HTTP interface for callers in the same process, without opening a socket. Its routes are created
 * when the first request is made, because only embedding programs make any.
 */
export function createInProcess(dependencies: AppDependencies, log: FastifyBaseLogger): InProcess {
  // If a caller aborts, its response is closed, because there is no connection to close.
  const calls = new AsyncLocalStorage<{ response?: ServerResponse }>()
  let created: Promise<FastifyInstance> | undefined
  let isClosed = false
  const open = () => {
    if (isClosed) throw new AggregatorError('AGGREGATOR_CLOSING', 'the service is closed')
    created ??= createServer(dependencies, log, calls)
    return created
  }
  return {
    fetch: async (url, { method = 'GET', headers, body, signal } = {}) => {
      signal?.throwIfAborted()
      const { pathname, search } = new URL(url)
      const call: { response?: ServerResponse } = {}
      const onAbort = () => call.response?.destroy()
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const request = {
          method: method as 'GET',
          url: pathname + search,
          headers: Object.fromEntries(new Headers(headers)),
          ...(typeof body === 'string' ? { payload: body } : {}),
        }
        // Awaiting the promise sends the request, so it must be awaited inside `calls.run`.
        const server = await open()
        signal?.throwIfAborted()
        return toResponse(await calls.run(call, async () => await server.inject(request)))
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    close: async () => {
      isClosed = true
      await (await created)?.close()
    },
  }
}

async function createServer(
  dependencies: AppDependencies,
  log: FastifyBaseLogger,
  calls: AsyncLocalStorage<{ response?: ServerResponse }>,
): Promise<FastifyInstance> {
  const { configuration } = dependencies
  const server = Fastify({ ...serverOptions, loggerInstance: log })
  server.addHook('onRequest', async (_request, reply) => {
    const call = calls.getStore()
    if (call !== undefined) call.response = reply.raw
  })
  await server.register(
    app({
      ...dependencies,
      configuration: { ...configuration, rateLimitPerMinute: 0, p2pRequestsPerMinute: 0, apiKeys: [] },
    }),
  )
  await server.ready()
  return server
}

function toResponse({ statusCode, headers, payload }: LightMyRequestResponse): Response {
  const init = new Headers()
  for (const [name, value] of Object.entries(headers)) init.set(name, String(value))
  return new Response(payload, { status: statusCode, headers: init })
}
