import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './CliError.ts'

/** Pause before the event stream is opened again, in milliseconds. */
const PAUSE_MS = 1_000
/** Maximum number of streams in a row that break before they bring an event. */
const MAX_BREAKS = 10

/** A server-sent event. */
type Event = { readonly id: string; readonly name: string; readonly data: string }

/** The progress of one message of a job. Weights are decimal strings. */
export type MessageProgress = {
  readonly state: string
  readonly collectedWeight?: string
  readonly neededWeight?: string
  readonly totalWeight?: string
}

/** The progress of a job with its messages that have changed. */
export type JobProgress = {
  readonly messages: number
  readonly signed: number
  readonly failed: number
  readonly current: readonly MessageProgress[]
}

const parseEvent = (block: string): Event => {
  const fields = block.split('\n').map((line) => {
    const end = line.indexOf(': ')
    return [line.slice(0, Math.max(end, 0)), line.slice(end + 2)] as const
  })
  const field = (name: string) => fields.find(([one]) => one === name)?.[1] ?? ''
  return { id: field('id'), name: field('event'), data: field('data') }
}

/** Yields the events of a response. Comments and other fields are skipped. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parseEvent(text.slice(0, end))
      text = text.slice(end + 2)
      if (event.name !== '') yield event
    }
  }
}

/** A job whose events to follow. */
export type Following = {
  /** URL of the job. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: JobProgress) => void
}

/**
 * Follows the events of a job to its end. Returns whether it is done, and its result or error as JSON. Opens the
 * stream again if it breaks.
 * @throws CliError `CLI_AGGREGATOR`
 */
export const follow = async ({
  url,
  headers,
  signal,
  onProgress,
}: Following): Promise<{ readonly isDone: boolean; readonly text: string }> => {
  let lastEventId = ''
  let reason: unknown
  for (let breaks = 0; breaks < MAX_BREAKS; breaks++) {
    if (breaks > 0) await sleep(PAUSE_MS, undefined, signal === undefined ? {} : { signal })
    try {
      const given = lastEventId === '' ? headers : { ...headers, 'last-event-id': lastEventId }
      const response = await fetch(`${url}/events`, { headers: given, ...(signal ? { signal } : {}) })
      if (response.status !== 200 || response.body === null) {
        reason = new Error(`status ${response.status}`)
        if (response.status === 404) break
        continue
      }
      for await (const { id, name, data } of events(response.body)) {
        breaks = 0
        lastEventId = id
        if (name === 'done' || name === 'failed') return { isDone: name === 'done', text: data }
        if (name === 'progress') onProgress(JSON.parse(data) as JobProgress)
      }
    } catch (cause) {
      signal?.throwIfAborted()
      reason = cause
    }
  }
  throw new CliError('CLI_AGGREGATOR', `Lost the connection to the job. Its result will be at ${url}.`, {
    cause: reason,
  })
}
