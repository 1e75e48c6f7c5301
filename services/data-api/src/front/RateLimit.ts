/** Maximum number of compute units that a caller may use per minute and per day, and limits of expensive requests. */
export interface Allowance {
  readonly unitsPerMinute: number
  readonly unitsPerDay: number
  /** Maximum number of rows that a caller's expensive requests may read per second and process; by default no limit. */
  readonly rowsPerSecond?: number
  /** Maximum number of a caller's expensive requests in progress per process; by default no limit. */
  readonly concurrent?: number
}

/** Units that a caller has used in the current window. */
export interface Usage {
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** Counts the units of each caller per window. The counters are in memory or shared between processes. */
export interface Counters {
  /** Adds units to the caller's current minute and current day, and returns the new state of both windows. */
  add(caller: string, units: number): Promise<{ readonly minute: Usage; readonly day: Usage }>
  /**
   * Resolves if the counters are available, and rejects otherwise.
   * @throws DataApiError `DATA_UNAVAILABLE`
   */
  check(): Promise<void>
}

/** Whether a request is allowed, with the headers of its response. */
export interface Decision {
  readonly isAllowed: boolean
  readonly headers: Readonly<Record<string, string>>
}

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** Charges the units of a request to the caller's allowance. */
export async function take(
  counters: Counters,
  caller: string,
  units: number,
  allowance: Allowance,
): Promise<Decision> {
  const { minute, day } = await counters.add(caller, units)
  const minuteLeft = allowance.unitsPerMinute - minute.used
  const dayLeft = allowance.unitsPerDay - day.used
  const isAllowed = minuteLeft >= 0 && dayLeft >= 0
  // If fewer units remain for the day than for the minute, the next minute would bring no new units.
  const { resetMs } = dayLeft < 0 || dayLeft < minuteLeft ? day : minute
  const seconds = String(Math.max(1, Math.ceil(resetMs / 1000)))
  const headers = {
    'ratelimit-policy': `${allowance.unitsPerMinute};w=60, ${allowance.unitsPerDay};w=86400`,
    'ratelimit-limit': String(allowance.unitsPerMinute),
    'ratelimit-remaining': String(Math.max(0, Math.min(minuteLeft, dayLeft))),
    'ratelimit-reset': seconds,
  }
  return { isAllowed, headers: isAllowed ? headers : { ...headers, 'retry-after': seconds } }
}

/**
 * Creates counters in the memory of this process. Minutes and days follow the clock, so a restart does not
 * shift them.
 */
export function createMemoryCounters(now: () => number): Counters {
  let windows = { minute: -1, day: -1 }
  let used = { minute: new Map<string, number>(), day: new Map<string, number>() }
  const add = (map: Map<string, number>, caller: string, units: number): number => {
    const sum = (map.get(caller) ?? 0) + units
    map.set(caller, sum)
    return sum
  }
  return {
    check: async () => undefined,
    add: async (caller, units) => {
      const time = now()
      const [minute, day] = [Math.floor(time / MINUTE_MS), Math.floor(time / DAY_MS)]
      if (minute !== windows.minute) used = { ...used, minute: new Map() }
      if (day !== windows.day) used = { ...used, day: new Map() }
      windows = { minute, day }
      return {
        minute: { used: add(used.minute, caller, units), resetMs: (minute + 1) * MINUTE_MS - time },
        day: { used: add(used.day, caller, units), resetMs: (day + 1) * DAY_MS - time },
      }
    },
  }
}
