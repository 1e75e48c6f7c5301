import type { DriverOptions } from '../openDriver.ts'
import { borrowPGlite } from './pglite.ts'
import * as postgres from './postgres.ts'

let schemas = 0

/**
 * Returns the options of an empty database: a schema in PostgreSQL if it is available, and otherwise PGlite in memory.
 * PostgreSQL needs a tenth of the processor time of PGlite. For tests only.
 */
export async function emptyDatabase(): Promise<DriverOptions & { readonly schema?: string }> {
  if (postgres.missing() !== undefined) return { pglite: await borrowPGlite() }
  return { url: await postgres.url(), connections: 4, schema: `test_${process.pid}_${schemas++}` }
}
