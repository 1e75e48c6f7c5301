import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the source of a module that contains the SQL of all migrations of a package. A module can be loaded everywhere,
 * including in bundles. For tests and generators only.
 */
export function migrationsModule(packageFolder: string, name: string): string {
  const folder = join(packageFolder, 'src/migrations')
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const schemas = folders.map(
    (schema) =>
      `export const ${schema.name} = ${JSON.stringify(read(join(folder, schema.name)), undefined, 2)}\n`,
  )
  return `// Generated from src/migrations by \`pnpm --filter ${name} migrations\`. Do not edit.\n${schemas.toSorted().join('')}`
}

function read(folder: string): Record<string, string> {
  const files = readdirSync(folder).toSorted()
  return Object.fromEntries(
    files.map((file) => [file.replace(/\.sql$/, ''), readFileSync(join(folder, file), 'utf8')]),
  )
}
