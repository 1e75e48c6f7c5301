/**
 * Checks and rehearsals of what the repository offers to operators.
 *
 * @packageDocumentation
 */
export * as Dockerfile from './Dockerfile.ts'
export * as Alerts from './observability/Alerts.ts'
export * as Metrics from './observability/Metrics.ts'
