/** Facts about a span, named as in the conventions of OpenTelemetry. They contain no secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** An operation in progress, as a part of a trace. */
export interface Span {
  /** Headers with which a request makes its server continue the trace; empty if there is no trace. */
  readonly headers: Readonly<Record<string, string>>
  /** Runs `work`. Spans that it starts, at once or after waiting, are children of this span. */
  run<T>(work: () => T): T
  /**
   * Ends the span. `failure` is the code or the class of the error with which the operation failed. Repeated calls have
   * no effect.
   */
  end(attributes?: Attributes, failure?: string): void
}

/** What a span stands for: work of this process, or a request to another one. */
export type SpanKind = 'internal' | 'client'

/** Records what an operation consists of and how long each part takes. */
export interface Tracer {
  /**
   * Starts a span as a child of the one whose `run` is in progress. `attributes` is called only if the span is recorded,
   * so it may be costly.
   */
  start(name: string, attributes?: () => Attributes, kind?: SpanKind): Span
}

const silentSpan: Span = { headers: {}, run: (work) => work(), end: () => {} }

/** A tracer that records nothing. */
export const silentTracer: Tracer = { start: () => silentSpan }

/**
 * Runs `work` in a span, and returns its result. A failure is recorded by the error's `code` or name.
 *
 * @example
 * ```ts
 * import { silentTracer, traced } from '@firn/runtime'
 *
 * const height = await traced(silentTracer, 'read height', () => ({ chain: 'P' }), async () => 7n)
 * ```
 * @throws the errors of `work`
 */
export async function traced<T>(
  tracer: Tracer,
  name: string,
  attributes: () => Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.start(name, attributes)
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({}, failureOf(error))
    throw error
  }
}

/**
 * Returns a tracer whose spans have the given attributes as well.
 *
 * @example
 * ```ts
 * import { silentTracer, withAttributes } from '@firn/runtime'
 *
 * const tracer = withAttributes(silentTracer, { 'evm.chain_id': '43114' })
 * tracer.start('store blocks').end()
 * ```
 */
export function withAttributes(tracer: Tracer, attributes: Attributes): Tracer {
  return { start: (name, own, kind) => tracer.start(name, () => ({ ...attributes, ...own?.() }), kind) }
}

/** Returns a short name for an error that contains no values: its code or, without one, its class. */
function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'unknown'
}
