import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { type Logger, Statement } from '@firn/runtime'
import { type ActiveRequest, current, watch } from './internal/activeRequests.ts'
import { statementText } from './internal/statementText.ts'

/** A log of slow requests and statements, until it is closed. */
export interface SlowLog {
  close(): void
}

/** Options of {@link start}. */
export interface SlowLogOptions {
  /** Time in milliseconds from which a request or a statement is slow. 0 disables the log. */
  readonly slowThreshold: number
}

type Log = Pick<Logger, 'warn'>

/** The statements of a request. */
interface Sums {
  sqlMilliseconds: number
  statements: number
  rows: number
}

/**
 * Starts to log slow requests to any HTTP server of this process, with the time and rows of their statements, and slow
 * statements with the id of their request. Never logs values: routes are patterns, and statements have placeholders.
 */
export function start({ slowThreshold }: SlowLogOptions, log: Log): SlowLog {
  if (slowThreshold === 0) return { close: () => undefined }
  const sums = new WeakMap<ActiveRequest, Sums>()

  const onRequest = (active: ActiveRequest) => {
    const { request, response } = active
    const begin = performance.now()
    const sum: Sums = { sqlMilliseconds: 0, statements: 0, rows: 0 }
    sums.set(active, sum)
    response.once('close', () => {
      const milliseconds = performance.now() - begin
      if (milliseconds < slowThreshold || isStream(response)) return
      const facts = { ...factsOf(active), method: request.method, status: response.statusCode }
      const sql = { ...sum, sqlMilliseconds: round(sum.sqlMilliseconds) }
      log.warn({ ...facts, milliseconds: round(milliseconds), ...sql }, 'slow request')
    })
  }
  const onStatement = (message: unknown) => {
    const { text, milliseconds, rows } = message as Statement.Statement
    const active = current()
    const sum = active && sums.get(active)
    if (sum !== undefined) {
      sum.sqlMilliseconds += milliseconds
      sum.statements += 1
      sum.rows += rows
    }
    if (milliseconds < slowThreshold) return
    const facts = active && factsOf(active)
    log.warn(
      { ...facts, milliseconds: round(milliseconds), rows, statement: statementText(text) },
      'slow statement',
    )
  }
  const stop = watch(onRequest)
  subscribe(Statement.CHANNEL, onStatement)
  return {
    close: () => {
      stop()
      unsubscribe(Statement.CHANNEL, onStatement)
    },
  }
}

/** Returns what identifies a request in logs; `traceId` only if a trace records it. */
function factsOf({ id: requestId, route, traceId }: ActiveRequest): object {
  return { requestId, route, ...(traceId === undefined ? {} : { traceId }) }
}

/** Returns whether a response stays open until the caller closes it. */
function isStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
