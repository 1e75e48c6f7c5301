import { join } from 'node:path'
import { describeMigrations } from '@firn/sql/testing'
import { EVM_TABLES } from '../EvmSchema.ts'
import { evm } from '../gen/migrations.ts'

describeMigrations('@firn/evm-store', join(import.meta.dirname, '../..'), {
  evm: { tables: EVM_TABLES, migrations: evm },
})
