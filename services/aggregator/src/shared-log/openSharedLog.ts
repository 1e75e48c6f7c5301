import type { Clock, Logger, Owner } from '@firn/runtime'
import type { Registry } from 'prom-client'
import type { Configuration } from '../configuration/Configuration.ts'
import { withPatience } from '../internal/flights.ts'
import type { SharedLog } from './SharedLog.ts'

/** Maximum time of statements for which no request for signatures waits, in milliseconds. */
const PATIENT_MS = 2_500
/** Maximum time that the start waits for the database of the message log, in milliseconds. */
const DATABASE_START_MS = 3_000

/** Options of {@link openSharedLog}. */
export interface OpenSharedLogDependencies {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
}

/**
 * Joins the fleet of the configured database. Returns undefined if none is configured. The PostgreSQL client is loaded only
 * if it is used.
 */
export async function openSharedLog(
  { configuration, ...rest }: OpenSharedLogDependencies,
  owner: Owner,
): Promise<SharedLog | undefined> {
  const { databaseUrl, databaseTimeout, messageRetention: retentionMs } = configuration
  if (databaseUrl === undefined) return undefined
  const [{ createSharedLog }, { connect }] = await Promise.all([
    import('./SharedLog.ts'),
    import('./Postgres.ts'),
  ])
  const limits = { promptMs: databaseTimeout, patientMs: Math.max(PATIENT_MS, databaseTimeout) }
  const server = connect(databaseUrl, limits.patientMs)
  const sharedLog = owner.own(createSharedLog({ ...rest, server, limits, retentionMs }))
  // Without the database, requests that other aggregators have sent would be sent again.
  await withPatience(sharedLog.database.tried, undefined, DATABASE_START_MS, rest.clock)
  return sharedLog
}
