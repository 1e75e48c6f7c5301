import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Path of the module whose source {@link generate} returns. */
export const MODULE = join(import.meta.dirname, '../gen/migrations.ts')

/**
 * Returns the source of a module that contains the SQL of all migrations. A module can be loaded everywhere,
 * including in bundles.
 */
export function generate(): string {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  const schemas = folders.map(
    ({ name }) => `export const ${name} = ${JSON.stringify(read(name), undefined, 2)}\n`,
  )
  return `// Generated from src/migrations by \`pnpm --filter @firn/store migrations\`. Do not edit.\n${schemas.toSorted().join('')}`
}

function read(schema: string): Record<string, string> {
  const folder = join(import.meta.dirname, schema)
  const files = readdirSync(folder).toSorted()
  return Object.fromEntries(
    files.map((file) => [file.replace(/\.sql$/, ''), readFileSync(join(folder, file), 'utf8')]),
  )
}

if (process.argv[1] === import.meta.filename) writeFileSync(MODULE, generate())
