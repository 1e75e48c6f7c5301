import { Hex } from '@firn/codec'
import { type LedgerState, Records } from '@firn/ledger'
import { KINDS, type Versioned } from '../internal/versions.ts'

/**
 * Returns a state's records by table and key, so that tests can compare two states with a deep comparison. Records
 * that have a codec are encoded as hex. For tests only.
 */
export function contents({ tables }: LedgerState.LedgerState): object {
  const names = Object.keys(Records.KEYS) as Records.TableName[]
  return Object.fromEntries(
    names.map((name) => {
      const keyOf = Records.KEYS[name] as (record: unknown) => string
      const entries = [...tables[name].ordered()].map(
        (record) => [keyOf(record), formOf(name, record)] as const,
      )
      return [name, Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))]
    }),
  )
}

function formOf(name: Records.TableName, record: unknown): unknown {
  return name in KINDS ? Hex.encode(KINDS[name as Versioned].codec.encode(record as never)) : record
}

/** Returns the order in which the tables of a state iterate over their records. */
export function orders({ tables }: LedgerState.LedgerState): object {
  const sorted = ['staker', 'l1Validator', 'expiry'] as const
  return Object.fromEntries(
    sorted.map((name) => {
      const keyOf = Records.KEYS[name] as (record: unknown) => string
      return [name, [...tables[name].ordered()].map(keyOf)]
    }),
  )
}
