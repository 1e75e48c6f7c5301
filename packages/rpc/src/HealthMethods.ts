import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

/**
 * Message of a health check, which can be any JSON. The type is explicit, because the compiler can't name the
 * codec's inferred type here.
 */
const message = Schema.optional(Schema.json as Schema.Schema<unknown>)

/**
 * The result of one health check of a node. `error` is set if the last run failed, and `duration` is in
 * nanoseconds.
 */
export const HealthCheck = Schema.struct({
  message,
  error: Schema.optional(Schema.string),
  timestamp: Schema.time,
  duration: Schema.integer,
  contiguousFailures: Schema.optional(Schema.integer),
  timeOfFirstFailure: Schema.optional(Schema.time),
})

/** The TypeScript type of {@link HealthCheck}. */
export type HealthCheck = Schema.Infer<typeof HealthCheck>

/** The results of all checks by name, and whether all of them passed. */
export const HealthReport = Schema.struct({
  checks: Schema.map(Schema.string, HealthCheck),
  healthy: Schema.boolean,
})

/** The TypeScript type of {@link HealthReport}. */
export type HealthReport = Schema.Infer<typeof HealthReport>

const method = {
  params: Schema.struct({ tags: Schema.optional(Schema.array(Schema.string)) }),
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
} satisfies MethodTable
