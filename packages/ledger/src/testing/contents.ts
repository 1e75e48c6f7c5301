import { NAMES } from '../internal/Tables.ts'
import type { LedgerState } from '../LedgerState.ts'

/**
 * Returns all records of a state as strings by table, independent of the order of insertion. For tests only.
 */
export function contents({ tables }: LedgerState): Record<string, string[]> {
  const records = NAMES.map((name) => [name, [...tables[name].ordered()].map(text).sort()])
  return Object.fromEntries(records)
}

/** Formats a value as a string, including bytes and large numbers. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'bigint') return `${item}n`
    return item instanceof Uint8Array ? Buffer.from(item).toString('base64') : item
  })
}
