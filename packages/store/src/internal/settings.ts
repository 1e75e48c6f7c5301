/**
 * Returns a statement that changes settings until the end of the database transaction. Citus applies `set local` on its
 * workers too, but not `set_config`. The block lets one statement change several settings.
 */
export function setLocal(settings: Readonly<Record<string, string>>): string {
  const statements = Object.entries(settings).map(([name, value]) => `set local ${name} to ${value};`)
  return `do $$ begin ${statements.join(' ')} end $$`
}
