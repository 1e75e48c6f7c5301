import type { Asker } from '../Asker.ts'
import type { Target } from '../Endpoint.ts'
import { exchange, type Limits } from '../HttpExchange.ts'
import { isRpcError, RpcError } from '../RpcError.ts'
import { arrivalOf, type Format, facts, parse, read, write } from './answers.ts'

const HEADERS = { 'content-type': 'application/json' }

/** Creates a connection over HTTP. The runtime keeps a pool of sockets. */
export function createHttpConnection(
  target: Target,
  format: Format,
  limits: Limits,
  send: typeof fetch | undefined,
): Asker {
  let lastId = 0
  return {
    name: target.name,
    async ask(calls, { signal, timeoutMs = limits.timeoutMs, headers: own } = {}) {
      const request = { target, format, calls, firstId: lastId + 1 }
      lastId += calls.length
      const sent = { headers: { ...HEADERS, ...own }, body: write(request), signal }
      try {
        const { status, headers, body } = await exchange(target, sent, { ...limits, timeoutMs }, send)
        const parsed = parse(new TextDecoder().decode(body), format)
        const answers = read(parsed, request, arrivalOf(status, headers))
        return { answers, bytes: body.length }
      } catch (error) {
        if (!isRpcError(error) || error.details.method !== undefined) throw error
        const { code, message, details, cause } = error
        throw new RpcError(code, message, { details: { ...facts(request), ...details }, cause })
      }
    },
    close: () => undefined,
  }
}
