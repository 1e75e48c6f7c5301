import { NAMES } from '../internal/Tables.ts'
import type { LedgerState } from '../LedgerState.ts'

/** Everything in a state's tables, whatever the order in which it got there. For tests only. */
export function contents({ tables }: LedgerState): Record<string, string[]> {
  const records = NAMES.map((name) => [name, [...tables[name].ordered()].map(text).sort()])
  return Object.fromEntries(records)
}

/** A value as text, bytes and large numbers included. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_key, item) => {
    if (typeof item === 'bigint') return `${item}n`
    return item instanceof Uint8Array ? Buffer.from(item).toString('base64') : item
  })
}
