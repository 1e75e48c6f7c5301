import { join } from 'node:path'
import { describeMigrations } from '@firn/sql/testing'
import { primary } from '../gen/migrations.ts'
import { TABLES } from '../Schema.ts'

describeMigrations('@firn/store', join(import.meta.dirname, '../..'), {
  primary: { tables: TABLES, migrations: primary },
})
