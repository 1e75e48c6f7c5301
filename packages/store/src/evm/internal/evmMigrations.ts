import type { Migrations } from '../../internal/migrate.ts'
import { leaseStatements, serviceStatements } from '../../internal/tables.sql.ts'
import { evmStatements, haltStatements } from './evmTables.sql.ts'

/** Those of an EVM chain's schema. */
export const EVM_MIGRATIONS: Migrations = {
  '0001_tables': evmStatements,
  '0002_services': serviceStatements,
  '0003_lease': leaseStatements,
  '0004_halts': haltStatements,
}
