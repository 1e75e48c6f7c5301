import type { Server } from 'node:http'

/** Options of {@link run}. All times are in milliseconds. */
export interface Options {
  /** Time in milliseconds for requests in progress to finish; 5,000 by default. */
  readonly graceMs?: number
}

const GRACE_MS = 5_000
/**
 * Interval in milliseconds at which idle connections are closed. A connection becomes idle after its last
 * response.
 */
const SWEEP_MS = 20

/**
 * Runs `stop`, which stops a server from accepting connections and resolves when the last connection is
 * closed. In the meantime, closes each connection as soon as it is idle, and all remaining connections after
 * the grace time. Node itself closes only the connections that are idle at the start. A connection that is
 * kept alive, or that receives an event stream, would keep the process running for more than a minute.
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
