import { isFirnError } from '@firn/codec'
import { IndexerError } from '../../IndexerError.ts'
import type { Answers, Call, JsonRpc, Target } from '../JsonRpc.ts'
import { format, isMembers, malformed, read } from './envelopes.ts'
import { refusalByStatus } from './refusals.ts'

/** Asks a node over HTTP; the runtime keeps the connections. */
export function createHttpRpc(target: Target, send: typeof fetch): JsonRpc {
  const { name } = target
  let lastId = 0
  return {
    name,
    async ask(calls, signal) {
      const firstId = lastId + 1
      lastId += calls.length
      const deadline = AbortSignal.timeout(target.timeoutMs)
      const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
      try {
        return await post(target, send, calls, firstId, either)
      } catch (cause) {
        if (signal?.aborted) throw signal.reason
        if (isFirnError(cause)) throw cause
        if (deadline.aborted) throw timedOut(name, target.timeoutMs)
        throw unavailable(name, cause)
      }
    },
    close: () => undefined,
  }
}

async function post(
  target: Target,
  send: typeof fetch,
  calls: readonly Call[],
  firstId: number,
  signal: AbortSignal,
): Promise<Answers> {
  const response = await send(target.url, {
    method: 'POST',
    headers: { ...target.headers, 'content-type': 'application/json' },
    body: format(calls, firstId),
    signal,
  })
  const bytes = await readBody(response, target)
  const refused = refusalByStatus(
    response.status,
    response.headers.get('retry-after'),
    target.name,
    Date.now(),
  )
  // The status of a limit tells more than the words with it; of other refusals the words tell more.
  if (refused !== undefined && refused.code !== 'INDEXER_RPC_REFUSED') throw refused
  const body = parse(bytes)
  if (refused !== undefined && !(isMembers(body) && isMembers(body['error']))) throw refused
  if (body === undefined) throw malformed(target.name, 'JSON', `${bytes.length} bytes that are none`)
  return { answers: read(body, firstId, calls.length, target.name), bytes: bytes.length }
}

/** The body as one piece, read up to the cap and not beyond. */
async function readBody(response: Response, { name, maxResponseBytes }: Target): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array()
  // What says how long it is, and isn't too long, needn't be watched as it comes.
  const told = Number(response.headers.get('content-length') ?? Number.NaN)
  const isPlain = response.headers.get('content-encoding') === null
  if (isPlain && told <= maxResponseBytes) return new Uint8Array(await response.arrayBuffer())
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > maxResponseBytes) throw tooLarge(name, maxResponseBytes)
    parts.push(part)
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    return undefined
  }
}

/** An answer that is longer than what is read. */
export function tooLarge(name: string, maxResponseBytes: number): IndexerError {
  return new IndexerError(
    'INDEXER_RPC_TOO_LARGE',
    `expected an answer of at most ${maxResponseBytes} bytes from ${name}`,
    { details: { upstream: name, maxResponseBytes } },
  )
}

/** No answer in time. */
export function timedOut(name: string, timeoutMs: number): IndexerError {
  return new IndexerError('INDEXER_RPC_TIMEOUT', `expected an answer within ${timeoutMs} ms from ${name}`, {
    details: { upstream: name, timeoutMs },
  })
}

/** No connection, or a broken one. */
export function unavailable(name: string, cause: unknown): IndexerError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const words = inner instanceof Error ? inner.message : String(inner)
  return new IndexerError('INDEXER_RPC_UNAVAILABLE', `expected an answer from ${name}, got ${words}`, {
    details: { upstream: name },
    cause,
  })
}
