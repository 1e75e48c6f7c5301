import type { IncomingHttpHeaders } from 'node:http'
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { parseTraceParent, TraceState } from '@opentelemetry/core'

/** Length of the header in version 00 of the standard. Later versions may add fields, which are not accepted. */
const PARENT_LENGTH = 55
/** Length that every implementation must pass on. Longer lists are dropped. */
const MAX_STATE_LENGTH = 512

/** Returns the span of the caller from `traceparent` and `tracestate`, or undefined if there is no valid one. */
export function read({ traceparent, tracestate }: IncomingHttpHeaders): SpanContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length !== PARENT_LENGTH) return undefined
  const parent = parseTraceParent(traceparent)
  if (parent === null || !isSpanContextValid(parent)) return undefined
  const isKept = typeof tracestate === 'string' && tracestate.length <= MAX_STATE_LENGTH
  return { ...parent, isRemote: true, ...(isKept ? { traceState: new TraceState(tracestate) } : {}) }
}

/** Returns the headers with which a server continues the trace of a span. */
export function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}
