import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

/** Message of a health check, which can be any JSON. */
const message = Layout.optional(Layout.json as Layout.Layout<unknown>)

/**
 * The result of one health check of a node. `error` is set if the last run failed, and `duration` is in
 * nanoseconds.
 */
export const HealthCheck = Layout.struct({
  message,
  error: Layout.optional(Layout.string),
  timestamp: Layout.time,
  duration: Layout.integer,
  contiguousFailures: Layout.optional(Layout.integer),
  timeOfFirstFailure: Layout.optional(Layout.time),
})

/** The results of all checks by name, and whether all of them passed. */
export const HealthReport = Layout.struct({
  checks: Layout.map(Layout.string, HealthCheck),
  healthy: Layout.boolean,
})

const method = {
  params: Layout.struct({ tags: Layout.optional(Layout.array(Layout.string)) }),
  result: HealthReport,
}

/**
 * Methods of the Health API of a node, which is served at `/ext/health`. A `GET` request returns the result
 * of the method that the last path segment names.
 */
export const HealthMethods = {
  'health.health': method,
  'health.liveness': method,
  'health.readiness': method,
} satisfies MethodLayouts
