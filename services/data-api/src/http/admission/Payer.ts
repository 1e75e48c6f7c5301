import type { ApiKey } from '@firn/http'
import * as Caller from '../endpoint/Caller.ts'
import { DataApiError } from '../endpoint/DataApiError.ts'
import type { Counters } from './RateLimit.ts'

/** Charges callers for work that goes on after their request. */
export interface Payer {
  /**
   * Charges units to the caller with a name, and returns the time in milliseconds to wait before more work; 0 if it can go
   * on at once. Such work uses half of the units of a minute, so that other requests of the caller still succeed.
   * @throws DataApiError `DATA_KEY` if the caller's key was revoked, `DATA_UNAVAILABLE`
   */
  pay(name: string, units: number): Promise<number>
}

/** Options of {@link createPayer}. */
export interface PayerOptions extends Caller.Allowances {
  readonly counters: Counters
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
}

/** Part of the units of a minute that background work uses. */
const SHARE = 0.5

/** Creates a payer that uses the same counters as requests. */
export function createPayer({ counters, keys, ...allowances }: PayerOptions): Payer {
  return {
    pay: async (name, units) => {
      const caller = Caller.ofName(name, await keys(), allowances)
      if (caller === undefined) throw new DataApiError('DATA_KEY', 'the API key was revoked; use another key')
      const waits = Caller.allowancesOf(caller).map(async ([one, { unitsPerMinute, unitsPerDay }]) => {
        const { minute, day } = await counters.add(one, units)
        if (day.used >= unitsPerDay) return day.resetMs
        return minute.used >= unitsPerMinute * SHARE ? minute.resetMs : 0
      })
      return Math.max(...(await Promise.all(waits)))
    },
  }
}
