import type { Server } from 'node:http'

/** How connections are closed. Times are milliseconds. */
export interface Options {
  /** Time for requests in progress; 5,000. */
  readonly graceMs?: number
}

const GRACE_MS = 5_000
/** How often idle connections are closed: a connection becomes idle when its last response was sent. */
const SWEEP_MS = 20

/**
 * Runs `stop`, which stops a server from accepting connections and resolves when the last one is closed.
 * Meanwhile connections are closed as soon as they are idle, and all remaining ones after the grace time.
 * Node itself closes only those that are idle at the start: one that is kept alive, or that receives an event
 * stream, would keep the process running for more than a minute.
 *
 * @example
 * ```ts
 * import { GracefulClose } from '@firn/http'
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * await app.listen()
 * await GracefulClose.run(app.server, () => app.close())
 * ```
 */
export async function run(
  server: Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
  stop: () => Promise<unknown>,
  { graceMs = GRACE_MS }: Options = {},
): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const impatience = setTimeout(() => server.closeAllConnections(), graceMs)
  try {
    await stop()
  } finally {
    clearInterval(sweep)
    clearTimeout(impatience)
  }
}
