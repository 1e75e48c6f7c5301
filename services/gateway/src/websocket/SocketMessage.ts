/** The parts of a node's message that are needed for counting. */
export interface HeardMessage {
  /** Id of the answered call, formatted by JSON.stringify; undefined for other messages. */
  readonly id: string | undefined
  /** JSON-RPC error code; undefined if the message is not an error. */
  readonly code: number | undefined
  /** Whether the message is a notification of a subscription. */
  readonly isNotification: boolean
}

/** Beginning of an answer with a result, as most nodes format it. */
const RESULT = /^\{"jsonrpc":"2\.0","id":(\d{1,15}|"[\w-]{1,64}"),"result":/
const HEAD = 128

/**
 * Parses a node's message. Returns an empty list if the message is not valid. Results are recognized by their
 * beginning, so long results are not parsed.
 */
export function heardIn(body: Buffer): readonly HeardMessage[] {
  const id = RESULT.exec(body.toString('latin1', 0, HEAD))?.[1]
  if (id !== undefined) return [{ id: String(id), code: undefined, isNotification: false }]
  try {
    const message: unknown = JSON.parse(body.toString())
    return (Array.isArray(message) ? message : [message]).map(heardOf)
  } catch {
    return []
  }
}

function heardOf(message: unknown): HeardMessage {
  const { id, method, error } = Object(message) as { id?: unknown; method?: unknown; error?: unknown }
  const { code } = Object(error) as { code?: unknown }
  return {
    id: id === undefined ? undefined : JSON.stringify(id),
    code: Number.isInteger(code) ? (code as number) : undefined,
    isNotification: id === undefined && typeof method === 'string',
  }
}
