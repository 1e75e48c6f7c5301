// Writes the module with the SQL of all migrations of this package.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsModule } from '@firn/sql/testing'

const folder = join(import.meta.dirname, '../..')
writeFileSync(join(folder, 'src/gen/migrations.ts'), migrationsModule(folder, '@firn/evm-store'))
