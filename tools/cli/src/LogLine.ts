const format = (value: unknown): string | undefined => {
  if (value instanceof Error) return value.message
  if (typeof value === 'bigint' || typeof value === 'string') return String(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

const name = (key: string): string => (key === 'err' || key === 'error' ? 'reason' : key)

/**
 * Returns a log line for people: the event, then its facts in parentheses, as `reached the head (chain 43113, height 37)`. Facts that
 * the event already says are left out, and so are structures.
 */
export const formatLogLine = (facts: object, event: string): string => {
  const shown = Object.entries(facts).flatMap(([key, value]) => {
    const text = format(value)
    return text === undefined || text === '' || event.includes(text) ? [] : [`${name(key)} ${text}`]
  })
  return shown.length === 0 ? event : `${event} (${shown.join(', ')})`
}
