import { Readable } from 'node:stream'
import type { Clock } from '@firn/runtime'
import type { FastifyReply } from 'fastify'

/** Time after which a browser reconnects, in milliseconds. */
const RECONNECT_MS = 1_000
const HEARTBEAT_MS = 15_000
/** Maximum length of the events that a slow reader has not read yet, in bytes. */
const MAX_BACKLOG = 262_144

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id: string
  readonly name: string
  /** Text without line breaks. */
  readonly data: string
}

/** A response of server-sent events. */
export interface EventStream {
  /** Sends an event. If the reader is too slow, the connection is closed instead. */
  send(event: ServerSentEvent): void
  /** Ends the response after the events that have been sent. */
  readonly end: () => void
  /** Calls `action` once, when the response is complete or the connection is closed. */
  onClose(action: () => void): void
  /** Aborts when the response is complete or the connection is closed. */
  readonly closed: AbortSignal
  /** Starts the response and its heartbeat. */
  start(): FastifyReply
}

/**
 * Creates a response of server-sent events. Regular comments keep the connection open. A reader that reads
 * nothing between two of them, although events are waiting, is disconnected.
 */
export function createEventStream(reply: FastifyReply, clock: Clock): EventStream {
  const body = new Readable({ read: () => {} })
  // Errors also end the response, which is all that is needed.
  body.on('error', () => {})
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  let isEnded = false
  body.push(`retry: ${RECONNECT_MS}\n\n`)
  const backlog = () => body.readableLength + reply.raw.writableLength
  const write = (text: string) => {
    if (body.destroyed || isEnded) return
    if (backlog() > MAX_BACKLOG) body.destroy(new Error('the reader is too slow'))
    else body.push(text)
  }
  const beat = async () => {
    for (let before = 0; ; ) {
      await clock.sleep(HEARTBEAT_MS, closed.signal)
      const waiting = backlog()
      if (before > 0 && waiting >= before) return reply.raw.destroy()
      before = waiting
      write(': heartbeat\n\n')
    }
  }
  return {
    send: ({ id, name, data }) => write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`),
    end: () => {
      if (isEnded) return
      isEnded = true
      body.push(null)
    },
    onClose: (action) => {
      if (closed.signal.aborted) action()
      else closed.signal.addEventListener('abort', action, { once: true })
    },
    closed: closed.signal,
    start: () => {
      beat().catch(() => {})
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
      return reply.headers({ ...headers, 'x-accel-buffering': 'no' }).send(body)
    },
  }
}
