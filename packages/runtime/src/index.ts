/**
 * The clock, logger, tracer, back-off, pace, owner of resources and worker threads that Firn's packages and services take as options.
 * @module
 */
export { type BackoffOptions, backoff, pause } from './Backoff.ts'
export { type Clock, systemClock } from './Clock.ts'
export * as LogEvent from './LogEvent.ts'
export { type Facts, type Logger, silentLogger } from './Logger.ts'
export { type Closable, createOwner, type Owner, withOwner } from './Owner.ts'
export { createPace, type Pace } from './Pace.ts'
export { withAnySignal } from './Signals.ts'
export * as Statement from './Statement.ts'
export { type SuperviseOptions, supervise } from './Supervisor.ts'
export {
  createThreads,
  type JobKinds,
  serveJobs,
  type ThreadPort,
  type Threads,
  type ThreadsOptions,
  type WorkerThread,
} from './Threads.ts'
export {
  type Attributes,
  type Span,
  type SpanKind,
  silentTracer,
  type Tracer,
  traced,
  withAttributes,
} from './Tracer.ts'
