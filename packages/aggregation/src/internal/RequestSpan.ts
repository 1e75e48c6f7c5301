import type { Span } from '@firn/runtime'
import type { Answer } from '../Transport.ts'

/** Ends the span of a request. Requests that the run no longer needs are no failures. */
export function end(span: Span, answer: Answer, isOver: boolean): void {
  const { kind } = answer
  const isAbandoned = isOver && kind !== 'response' && kind !== 'error'
  const facts = { 'firn.outcome': isAbandoned ? 'abandoned' : kind }
  if (kind === 'response' || isAbandoned) span.end(facts)
  else if (kind === 'error') span.end({ ...facts, 'firn.error_code': answer.code }, kind)
  else span.end(facts, kind)
}
