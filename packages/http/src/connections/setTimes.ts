import type { Server as HttpServer } from 'node:http'
import type { ConnectionLimits } from './ConnectionLimits.ts'

/** Sets the limits that Node.js enforces. An HTTP server that does not listen itself needs them, too. */
export function setTimes(
  server: HttpServer,
  { headersMs, readMs, idleMs, headerCount }: ConnectionLimits,
): void {
  server.headersTimeout = headersMs
  server.requestTimeout = readMs
  server.keepAliveTimeout = idleMs
  server.maxHeadersCount = headerCount
}
