import type { DriverOptions } from '../internal/open.ts'
import { borrowPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

let schemas = 0

/**
 * Returns an empty database for a recorded network: PGlite in memory, or PostgreSQL if `prefersPostgres` is set and
 * PostgreSQL is available. Tests read the most used recordings from PostgreSQL, which needs a tenth of the processor time,
 * and the others from PGlite. For tests only.
 */
export async function recordedPlace(
  prefersPostgres: boolean,
): Promise<DriverOptions & { readonly schema?: string }> {
  if (!prefersPostgres || postgres.missing() !== undefined) return { pglite: await borrowPGlite() }
  const schema = `recorded_${process.pid}_${schemas++}`
  return { url: await postgres.url(), connections: 4, schema }
}
