/** A server-sent event. */
export interface ServerEvent {
  /** Id of the event, from which a stream can be resumed. */
  readonly id: string | undefined
  /** Type of the event. */
  readonly event: string
  /** Data of the event, usually JSON. */
  readonly data: string
}

/** Returns the events of a response until it ends. Comments, which keep the connection open, are left out. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const lines = block.split(/\r?\n/)
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = all('data')
  if (data.length === 0) return undefined
  return { id: all('id').at(-1), event: all('event').at(-1) ?? 'message', data: data.join('\n') }
}
