import { type RawBuilder, sql } from 'kysely'

/** Returns the SQL condition that a version is valid at a height. */
export function holdsAt(height: bigint, alias?: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref<bigint>(alias === undefined ? name : `${alias}.${name}`)
  return sql<boolean>`${column('since')} <= ${height} and (${column('until')} is null or ${column('until')} > ${height})`
}

/**
 * Returns `any(…)` with the byte strings as an array parameter, for the right side of a comparison with `=`.
 */
export function anyOf(values: readonly Uint8Array[]): RawBuilder<Uint8Array> {
  return sql<Uint8Array>`any(${sql.val([...values])}::bytea[])`
}
