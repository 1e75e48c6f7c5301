import { sql } from 'kysely'
import { assetStatements, indexStatements, stakerStatements } from './indexes.sql.ts'
import type { Migrations } from './migrate.ts'
import { listStatements, serviceStatements, statements } from './tables.sql.ts'

/** Those of a network's schema. */
export const MIGRATIONS: Migrations = {
  '0001_tables': {
    async up(db) {
      for (const statement of statements()) await sql.raw(statement).execute(db)
    },
  },
  '0002_services': {
    async up(db) {
      for (const statement of serviceStatements()) await sql.raw(statement).execute(db)
    },
  },
  '0003_lists': {
    async up(db) {
      for (const statement of listStatements()) await sql.raw(statement).execute(db)
    },
  },
  '0004_staking': {
    async up(db) {
      for (const statement of indexStatements()) await sql.raw(statement).execute(db)
    },
  },
  '0005_stakers': {
    async up(db) {
      for (const statement of stakerStatements()) await sql.raw(statement).execute(db)
    },
  },
  '0006_assets': {
    async up(db) {
      for (const statement of assetStatements()) await sql.raw(statement).execute(db)
    },
  },
}
