import { IndexerError } from '../IndexerError.ts'
import { createHttpRpc } from './internal/HttpRpc.ts'
import { createSocketRpc } from './internal/SocketRpc.ts'
import type { JsonRpc, JsonRpcOptions, Target } from './JsonRpc.ts'

/**
 * Returns what asks a node over HTTP or WebSocket, as its URL says.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export function createJsonRpc(options: JsonRpcOptions): JsonRpc {
  const target = targetOf(options)
  return /^ws/.test(target.url) ? createSocketRpc(target) : createHttpRpc(target, options.fetch ?? fetch)
}

function targetOf({ url, headers, timeoutMs, maxResponseBytes }: JsonRpcOptions): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^(https?|wss?):$/.test(parsed.protocol)) {
    // The text may hold a secret, so it isn't shown.
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      'expected a URL of http, https, ws or wss for a chain’s node',
    )
  }
  const { username, password } = parsed
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`
  parsed.username = ''
  parsed.password = ''
  return {
    url: parsed.href,
    name: parsed.host,
    headers: { ...(user === ':' ? {} : { authorization }), ...headers },
    timeoutMs: timeoutMs ?? 15_000,
    maxResponseBytes: maxResponseBytes ?? 64 * 1024 * 1024,
  }
}
