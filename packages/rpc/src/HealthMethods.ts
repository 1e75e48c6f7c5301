import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

/** What a check says of itself, any JSON: an own type, since a compiler can't name codec's in what it derives here. */
const message = Schema.optional(Schema.json as Schema.Schema<unknown>)

/** One check of a node: `error` when it failed last, `duration` in nanoseconds. */
export const HealthCheck = Schema.struct({
  message,
  error: Schema.optional(Schema.string),
  timestamp: Schema.time,
  duration: Schema.integer,
  contiguousFailures: Schema.optional(Schema.integer),
  timeOfFirstFailure: Schema.optional(Schema.time),
})

/** A {@link HealthCheck}'s value. */
export type HealthCheck = Schema.Infer<typeof HealthCheck>

/** What all checks say: by name, and whether none failed. */
export const HealthReport = Schema.struct({
  checks: Schema.map(Schema.string, HealthCheck),
  healthy: Schema.boolean,
})

/** A {@link HealthReport}'s value. */
export type HealthReport = Schema.Infer<typeof HealthReport>

const method = {
  params: Schema.struct({ tags: Schema.optional(Schema.array(Schema.string)) }),
  result: HealthReport,
}

/** The Health API of a node, served at `/ext/health`; `GET` answers the result of the method whose name ends the path. */
export const HealthMethods = {
  'health.health': method,
  'health.liveness': method,
  'health.readiness': method,
} satisfies MethodTable
