import type { Session } from '@firn/sql'
import type { Batch } from './Batch.ts'
import { USAGE_TABLES, type UsageRow } from './Schema.ts'
import { MAX_MILLISECONDS, storable } from './storable.ts'
import type { UsageRequest } from './UsageRequest.ts'

const HOUR = 3600
/** Separator of the parts of a key. No name contains it. */
const SEPARATOR = '\0'
/** Maximum length of a method, chain or token name. Longer names are truncated. */
const LONGEST_NAME = 128

/** Counts of identical requests that are not yet written to the table. */
export class UsageSums implements Batch<UsageRequest> {
  readonly #rows = new Map<string, UsageRow>()
  #requests = 0

  /** Number of rows added so far. */
  get size(): number {
    return this.#rows.size
  }

  /** Number of requests counted so far. */
  get requests(): number {
    return this.#requests
  }

  /** Adds a request. Returns false without adding it if that would need more than `most` rows. */
  add(request: UsageRequest, most = Number.POSITIVE_INFINITY): boolean {
    const hour = request.time - (request.time % HOUR)
    const { status } = request
    const milliseconds = Math.min(request.milliseconds, MAX_MILLISECONDS)
    const [chainId, method, token] = [request.chainId, request.method, request.token].map((name) =>
      storable(name, LONGEST_NAME),
    )
    const key = [hour, chainId, method, status, token, milliseconds].join(SEPARATOR)
    const known = this.#rows.get(key)
    if (known !== undefined) {
      known.requests += 1n
      known.credits += BigInt(request.credits)
    } else if (this.#rows.size >= most) {
      return false
    } else {
      this.#rows.set(key, {
        hour: BigInt(hour),
        chain_id: chainId as string,
        method: method as string,
        status,
        token: token as string,
        milliseconds,
        requests: 1n,
        credits: BigInt(request.credits),
      })
    }
    this.#requests++
    return true
  }

  /** Adds the collected counts to the counts in the table. */
  async write(session: Session): Promise<void> {
    // The rows are written in a fixed order, so that two writers don't deadlock.
    const rows = [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    if (rows.length === 0) return
    await session.query(
      ADD,
      COLUMNS.map((name) => rows.map((row) => String(row[name]))),
    )
  }
}

const COLUMNS = Object.keys(USAGE_TABLES.usage.columns) as (keyof UsageRow)[]

const ADD = `insert into usage as u (${COLUMNS.join(', ')})
  select * from unnest($1::int8[], $2::text[], $3::text[], $4::int4[], $5::text[], $6::int4[], $7::int8[], $8::int8[])
  on conflict (hour, chain_id, method, status, token, milliseconds)
    do update set requests = u.requests + excluded.requests, credits = u.credits + excluded.credits`
