import { ApiKey } from '@firn/http'
import type { Clock, Logger } from '@firn/runtime'
import {
  type ApiRequest,
  ApiRequests,
  ApiUsage,
  RequestLog,
  type UsageStore,
  UsageWriter,
} from '@firn/service-store'
import { Gauge, type Registry } from 'prom-client'

/** Which requests are kept, and for how long. */
export interface RequestLogOptions {
  /** Time in milliseconds for which requests are logged; 0 logs none. */
  readonly logMs: number
  /** Number of logged requests of each key. */
  readonly logRows: number
  /** Whether the log has the address, host and program of clients. */
  readonly hasClients: boolean
  /** Time in milliseconds for which counts are kept. */
  readonly countsMs: number
}

const DAY_MS = 86_400_000
/** Requests of the last week, and counts of about a year. */
export const REQUEST_LOG: RequestLogOptions = {
  logMs: 7 * DAY_MS,
  logRows: 100_000,
  hasClients: true,
  countsMs: 400 * DAY_MS,
}

/** Options of {@link createRequestRecorder}. */
export interface RecorderOptions {
  readonly usage: UsageStore
  /** Returns all API keys, including revoked ones. */
  readonly keys: () => Promise<readonly ApiKey.StoredKey[]>
  readonly settings: RequestLogOptions
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly metrics: Registry | undefined
}

/** Counts and logs requests with API keys. */
export interface RequestRecorder {
  /** Adds a request. It never waits; if too many requests wait for the database, the request is dropped and counted. */
  record(request: ApiRequest): void
  /** Writes the waiting requests and stops. */
  close(): Promise<void>
}

/** Maximum number of rows that wait for the database, about 10 MB. */
const MOST_WAITING = 10_000
/** Time in milliseconds between two removals of old requests. */
const SWEEP_MS = 600_000
const NOBODY: ApiRequest['client'] = { address: '', host: '', userAgent: '' }

/** Creates a recorder that writes to the usage tables, which any number of processes share, and removes old requests. */
export function createRequestRecorder(options: RecorderOptions): RequestRecorder {
  const { usage, settings, clock, random, log, metrics } = options
  const isLogging = settings.logMs > 0
  const createBatch = () => new ApiRequests(isLogging)
  const writer = new UsageWriter({ store: usage, createBatch, random, log, most: MOST_WAITING })
  addMetrics(writer, metrics)
  const stop = new AbortController()
  /** Keys with requests since the last removal; undefined before the first one, when every key may have too many. */
  let active: Set<string> | undefined
  const sweep = async () => {
    const now = BigInt(Math.floor(clock.now()))
    const keyIds = [...(active ?? (await options.keys()).map(ApiKey.id))]
    await ApiUsage.sweep(usage, now / 1_000n, BigInt(settings.countsMs) / 1_000n)
    await RequestLog.sweep(usage, { from: now - BigInt(settings.logMs), keyIds, rows: settings.logRows })
    active = new Set()
  }
  const sweeping = (async () => {
    while (!stop.signal.aborted) {
      await sweep().catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'old API requests cannot be removed; will retry'),
      )
      await clock.sleep(SWEEP_MS, stop.signal).catch(() => undefined)
    }
  })()
  return {
    record: (request) => {
      active?.add(request.keyId)
      writer.record(settings.hasClients ? request : { ...request, client: NOBODY })
    },
    close: async () => {
      stop.abort()
      await sweeping
      const lost = await writer.close()
      if (lost > 0) log.warn({ requests: lost }, 'API requests were not written to the database')
    },
  }
}

function addMetrics(writer: UsageWriter<ApiRequest>, metrics: Registry | undefined): void {
  if (metrics === undefined) return
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `firn_data_api_usage_${name}`,
      help,
      registers: [metrics],
      collect() {
        this.set(read())
      },
    })
  gauge('waiting', 'Number of requests with API keys not yet written to the database', () => writer.waiting)
  gauge(
    'dropped',
    'Number of requests with API keys that were dropped, because too many waited for the database',
    () => writer.dropped,
  )
}
