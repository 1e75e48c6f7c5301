import type { Session } from '@firn/sql'
import type { ApiRequest } from './ApiRequest.ts'
import { API_TABLES, type ApiRequestRow, type ApiUsageRow } from './apiTables.ts'
import type { Batch } from './Batch.ts'
import { MAX_MILLISECONDS, storable } from './storable.ts'

const MINUTE_MS = 60_000
const LONGEST_NAME = 128
const LONGEST_TEXT = 256
/** Separator of the parts of a key. No stored text contains it. */
const SEPARATOR = '\0'

/** Requests to the Data API that are not yet written to the tables: their counts, and the requests themselves. */
export class ApiRequests implements Batch<ApiRequest> {
  readonly #counts = new Map<string, ApiUsageRow>()
  readonly #log: ApiRequestRow[] = []
  readonly #isLogging: boolean
  #requests = 0

  /** @param isLogging whether the requests themselves are written, besides their counts */
  constructor(isLogging: boolean) {
    this.#isLogging = isLogging
  }

  get size(): number {
    return this.#counts.size + this.#log.length
  }

  get requests(): number {
    return this.#requests
  }

  add(request: ApiRequest, most = Number.POSITIVE_INFINITY): boolean {
    const row = countOf(request)
    const key = [row.minute, row.key_id, row.chain_id, row.endpoint, row.status, row.milliseconds].join(
      SEPARATOR,
    )
    const known = this.#counts.get(key)
    const added = (known === undefined ? 1 : 0) + (this.#isLogging ? 1 : 0)
    if (this.size + added > most) return false
    if (known === undefined) this.#counts.set(key, row)
    else {
      known.requests += 1n
      known.credits += BigInt(request.credits)
    }
    if (this.#isLogging) this.#log.push(toRow(request))
    this.#requests++
    return true
  }

  async write(session: Session): Promise<void> {
    // The rows are written in a fixed order, so that two writers don't deadlock.
    const counts = [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
    if (counts.length > 0) await session.query(ADD, columnsOf(COUNT_COLUMNS, counts))
    if (this.#log.length > 0) await session.query(APPEND, columnsOf(LOG_COLUMNS, this.#log))
  }
}

function countOf(request: ApiRequest): ApiUsageRow {
  const minute = request.time - (request.time % MINUTE_MS)
  return {
    minute: BigInt(minute / 1_000),
    key_id: storable(request.keyId, LONGEST_NAME),
    chain_id: storable(request.chainId, LONGEST_NAME),
    endpoint: storable(request.endpoint, LONGEST_TEXT),
    status: request.status,
    milliseconds: roundMilliseconds(request.milliseconds),
    requests: 1n,
    credits: BigInt(request.credits),
  }
}

/** Rounds a duration to two digits, which limits the number of rows for many different durations. */
function roundMilliseconds(milliseconds: number): number {
  const most = Math.min(milliseconds, MAX_MILLISECONDS)
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most))) - 1)
  return Math.floor(most / unit) * unit
}

function toRow(request: ApiRequest): ApiRequestRow {
  return {
    key_id: storable(request.keyId, LONGEST_NAME),
    time_ms: BigInt(request.time),
    id: request.id,
    endpoint: storable(request.endpoint, LONGEST_TEXT),
    path: storable(request.path, LONGEST_TEXT),
    chain_id: storable(request.chainId, LONGEST_NAME),
    status: request.status,
    milliseconds: Math.min(request.milliseconds, MAX_MILLISECONDS),
    credits: BigInt(request.credits),
    address: storable(request.client.address, LONGEST_NAME),
    host: storable(request.client.host, LONGEST_TEXT),
    user_agent: storable(request.client.userAgent, LONGEST_TEXT),
  }
}

function columnsOf<Row>(names: readonly (keyof Row)[], rows: readonly Row[]): string[][] {
  return names.map((name) => rows.map((row) => String(row[name])))
}

const COUNT_COLUMNS = Object.keys(API_TABLES.api_usage.columns) as (keyof ApiUsageRow)[]
const LOG_COLUMNS = Object.keys(API_TABLES.api_request.columns) as (keyof ApiRequestRow)[]

const ADD = `insert into api_usage as u (${COUNT_COLUMNS.join(', ')})
  select * from unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::int4[], $7::int8[], $8::int8[])
  on conflict (key_id, minute, chain_id, endpoint, status, milliseconds)
    do update set requests = u.requests + excluded.requests, credits = u.credits + excluded.credits`

const APPEND = `insert into api_request (${LOG_COLUMNS.join(', ')})
  select * from unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[], $8::int4[],
    $9::int8[], $10::text[], $11::text[], $12::text[])
  on conflict do nothing`
