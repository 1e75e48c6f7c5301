import { type Allowance, allowancesOf, type Caller, type NamedAllowance } from '../endpoint/Caller.ts'

/** Units that a caller has used in the current window. */
export interface Usage {
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** Units that a caller has used in the current minute and the current day. */
export interface Used {
  readonly minute: Usage
  readonly day: Usage
}

/** Counts the units of each caller per window. The counters are in memory or shared between processes. */
export interface Counters {
  /** Adds units to the caller's current minute and current day, and returns the new state of both windows. */
  add(caller: string, units: number): Promise<Used>
  /**
   * Resolves if the counters are available, and rejects otherwise.
   * @throws DataApiError `DATA_UNAVAILABLE`
   */
  check(): Promise<void>
}

/** Whether a request is allowed, with the headers of its response. */
export interface Decision {
  readonly isAllowed: boolean
  /** Name and allowance of the caller of which the least is left. */
  readonly name: string
  readonly allowance: Allowance
  readonly headers: Readonly<Record<string, string>>
}

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/**
 * Charges the units of a request to the caller under all of its names, until one of them has too few left. So requests that
 * are rejected for the network of a caller do not use up what the networks around it share.
 */
export async function take(
  counters: Counters,
  caller: Pick<Caller, 'limits' | 'allowance'>,
  units: number,
): Promise<Decision> {
  const [own, ...wider] = allowancesOf(caller)
  const add = async ([name, allowance]: NamedAllowance) =>
    decide(name, allowance, await counters.add(name, units))
  let scarcest = await add(own)
  for (const one of wider) {
    if (!scarcest.isAllowed) break
    const next = await add(one)
    if (next.left < scarcest.left) scarcest = next
  }
  const { left: _, ...decision } = scarcest
  return decision
}

function decide(
  name: string,
  allowance: Allowance,
  { minute, day }: Used,
): Decision & { readonly left: number } {
  const minuteLeft = allowance.unitsPerMinute - minute.used
  const dayLeft = allowance.unitsPerDay - day.used
  const isAllowed = minuteLeft >= 0 && dayLeft >= 0
  // If fewer units remain for the day than for the minute, the next minute would bring no new units.
  const { resetMs } = dayLeft < 0 || dayLeft < minuteLeft ? day : minute
  const seconds = String(Math.max(1, Math.ceil(resetMs / 1000)))
  const left = Math.min(minuteLeft, dayLeft)
  const headers = {
    'ratelimit-policy': `${allowance.unitsPerMinute};w=60, ${allowance.unitsPerDay};w=86400`,
    'ratelimit-limit': String(allowance.unitsPerMinute),
    'ratelimit-remaining': String(Math.max(0, left)),
    'ratelimit-reset': seconds,
  }
  return {
    isAllowed,
    name,
    allowance,
    left,
    headers: isAllowed ? headers : { ...headers, 'retry-after': seconds },
  }
}

/** Maximum number of callers that are counted in memory. */
const MOST_CALLERS = 1_000_000

/**
 * Creates counters in the memory of this process. Minutes and days follow the clock, so a restart does not
 * shift them. Of more than `most` callers, those that have been silent longest are forgotten.
 */
export function createMemoryCounters(now: () => number, most = MOST_CALLERS): Counters {
  let windows = { minute: -1, day: -1 }
  let used = { minute: new Map<string, number>(), day: new Map<string, number>() }
  const add = (map: Map<string, number>, caller: string, units: number): number => {
    const sum = (map.get(caller) ?? 0) + units
    // A map keeps the order of insertion, so its first caller has been silent longest.
    map.delete(caller)
    map.set(caller, sum)
    const [oldest] = map.size > most ? map.keys() : []
    if (oldest !== undefined) map.delete(oldest)
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
