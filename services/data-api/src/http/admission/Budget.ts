import { allowancesOf, type Caller } from '../endpoint/Caller.ts'
import { DataApiError } from '../endpoint/DataApiError.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './ConcurrencyLimit.ts'

/** Limits the expensive requests of each caller in this process. */
export interface Budgets {
  /**
   * Runs an expensive request that reads up to `rows` rows. While the caller has too many of them in progress, the
   * request waits. `work` gets the maximum number of rows that a request of the caller may read.
   * @throws DataApiError `DATA_PARAMETER` if the caller may never read so many rows at once; `DATA_RATE_LIMIT` if the
   * caller has used up the rows of this second, or has too many waiting requests; errors of `work`
   */
  run<T>(caller: Caller, rows: number, work: (mostRows: number) => Promise<T>): Promise<T>
}

const SECOND_MS = 1_000
/** Waiting requests of a caller, for each request that may be in progress. */
const WAITING = 16
const WAIT_MS = 5_000

/** Creates budgets. `now` returns milliseconds since an arbitrary start. */
export function createBudgets(now: () => number): Budgets {
  let second = -1
  let used = new Map<string, number>()
  const slots = createSlots()
  const charge = (caller: Caller, rows: number) => {
    const { allowance, advice } = caller
    const { rowsPerSecond: own = Number.POSITIVE_INFINITY } = allowance
    if (rows > own) {
      const message = `this request may read ${rows} rows, and you may read ${own} per second; ${advice}`
      throw new DataApiError('DATA_PARAMETER', message)
    }
    const current = Math.floor(now() / SECOND_MS)
    if (current !== second) used = new Map()
    second = current
    const sums = allowancesOf(caller).map(([name, { rowsPerSecond = Number.POSITIVE_INFINITY }]) => {
      const sum = (used.get(name) ?? 0) + rows
      if (sum > rowsPerSecond)
        throw tooMany(`you may read ${rowsPerSecond} rows per second; retry in 1 s, or ${advice}`)
      return [name, sum] as const
    })
    for (const [name, sum] of sums) used.set(name, sum)
  }
  return {
    async run(caller, rows, work) {
      charge(caller, rows)
      const { advice, allowance } = caller
      const mostRows = allowance.rowsPerSecond ?? Number.POSITIVE_INFINITY
      // The narrowest name first, so that a caller that waits for itself holds no slot of the networks around it.
      let task = () => work(mostRows)
      for (const [name, { concurrent }] of [...allowancesOf(caller)].reverse()) {
        const inner = task
        if (concurrent !== undefined) task = () => slots.run(name, concurrent, advice, inner)
      }
      return task()
    },
  }
}

/** Limits the concurrent requests of each caller. Callers without a request in progress use no memory. */
function createSlots() {
  const limits = new Map<string, { readonly limit: ConcurrencyLimit; users: number }>()
  let next = 0
  return {
    async run<T>(id: string, most: number, advice: string, work: () => Promise<T>): Promise<T> {
      const own = limits.get(id) ?? {
        limit: createConcurrencyLimit({
          most,
          mostWaiting: WAITING * most,
          waitMs: WAIT_MS,
          refuse: () =>
            tooMany(`you may have ${most} expensive requests in progress; retry in 1 s, or ${advice}`),
        }),
        users: 0,
      }
      limits.set(id, own)
      own.users += 1
      try {
        return await own.limit.run(String(next++), work)
      } finally {
        own.users -= 1
        if (own.users === 0) limits.delete(id)
      }
    },
  }
}

function tooMany(message: string): DataApiError {
  return new DataApiError('DATA_RATE_LIMIT', message, { details: { headers: { 'retry-after': '1' } } })
}
