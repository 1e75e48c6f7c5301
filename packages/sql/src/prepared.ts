import { sql } from 'kysely'

const MARK = '/* prepared */'

/**
 * Marks a statement to be prepared on each connection, so that the server parses and plans it only once.
 * Parsing and planning costs more than running most of our statements. The plan is made without the values,
 * so only statements whose plan depends on neither the values nor the page size should be marked.
 */
export const prepared = sql.raw(MARK)

/** Returns whether a statement is marked with {@link prepared}. */
export function isPrepared(text: string): boolean {
  return text.includes(MARK)
}
