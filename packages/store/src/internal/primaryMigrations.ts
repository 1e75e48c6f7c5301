import { assetStatements, indexStatements, stakerStatements } from './indexes.sql.ts'
import type { Migrations } from './migrate.ts'
import { leaseStatements, listStatements, serviceStatements, statements } from './tables.sql.ts'

/** Those of a network's schema. */
export const MIGRATIONS: Migrations = {
  '0001_tables': statements,
  '0002_services': serviceStatements,
  '0003_lists': listStatements,
  '0004_staking': indexStatements,
  '0005_stakers': stakerStatements,
  '0006_assets': assetStatements,
  '0007_lease': leaseStatements,
}
