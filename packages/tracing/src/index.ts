/**
 * What a process records about its requests: traces, slow requests and statements, and its requests to nodes.
 *
 * @packageDocumentation
 */
export * as Diagnostics from './Diagnostics.ts'
export * as Tracing from './Tracing.ts'
export * as UpstreamMetrics from './UpstreamMetrics.ts'
