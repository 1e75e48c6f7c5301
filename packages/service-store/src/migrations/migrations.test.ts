import { join } from 'node:path'
import { describeMigrations } from '@firn/sql/testing'
import { usage } from '../gen/migrations.ts'
import { USAGE_TABLES } from '../usage/Schema.ts'

describeMigrations('@firn/service-store', join(import.meta.dirname, '../..'), {
  usage: { tables: USAGE_TABLES, migrations: usage },
})
