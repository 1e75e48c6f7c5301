import { sql } from 'kysely'
import type { Migrations } from '../../internal/migrate.ts'
import { serviceStatements } from '../../internal/tables.sql.ts'
import { evmStatements } from './evmTables.sql.ts'

/** Those of an EVM chain's schema. */
export const EVM_MIGRATIONS: Migrations = {
  '0001_tables': {
    async up(db) {
      for (const statement of evmStatements()) await sql.raw(statement).execute(db)
    },
  },
  '0002_services': {
    async up(db) {
      for (const statement of serviceStatements()) await sql.raw(statement).execute(db)
    },
  },
}
