/** The kind of a node's message. */
export interface HeardMessage {
  /** The id of the call that it answers, as JSON.stringify writes it; undefined for other messages. */
  readonly id: string | undefined
  /** Code of an error. */
  readonly code: number | undefined
  /** Whether it belongs to a subscription. */
  readonly isNotification: boolean
}

/** The beginning of an answer with a result, as most nodes write it. */
const RESULT = /^\{"jsonrpc":"2\.0","id":(\d{1,15}|"[\w-]{1,64}"),"result":/
const HEAD = 128

/**
 * Returns the parts of a message; none if it cannot be read. A result is recognized by its beginning, however
 * long it is.
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
