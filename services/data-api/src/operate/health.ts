import type { Store } from '@firn/store'
import type { EvmChainSource } from '../evm/chain/EvmContext.ts'
import type { Counters } from '../http/admission/RateLimit.ts'
import { translate } from '../http/ErrorBody.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'

/** Stores and counters that the health checks query. */
export interface Watched {
  /** Shared rate-limit counters outside this process, if configured. */
  readonly limiter?: Pick<Counters, 'check'> | undefined
  readonly store: Store | undefined
  readonly chains: readonly EvmChainSource[]
}

const Indicators = (what: string) =>
  Schema.record(
    Schema.object('HealthIndicatorResult', 'Health of a part of the service', {
      status: Schema.choice(['up', 'down'], 'Whether the part works'),
    }),
    what,
    'primaryNetwork',
  )
const Result = Schema.object('HealthCheckResult', 'Health of the service', {
  status: Schema.choice(['ok', 'error', 'shutting_down'], 'Health of the whole service'),
  info: Indicators('Parts that work, by name'),
  error: Indicators('Parts that do not work, by name'),
  details: Indicators('All parts, by name'),
})

/** Operation ids of the checks of the Data API (v1) and the Metrics API (v2). */
const NAMES = {
  v1: { health: 'dataHealthCheck', live: 'liveCheck' },
  v2: { health: 'metricsHealthCheck', live: 'metricsLiveCheck' },
} as const

/**
 * Returns the health-check endpoints of the Data API and the Metrics API. `health-check` reads from every store and
 * checks the shared rate-limit counters. `live-check` only shows that the process responds.
 */
export function healthEndpoints(watched: Watched): readonly Endpoint[] {
  return (['v1', 'v2'] as const).flatMap((version) => [
    check(NAMES[version].health, `/${version}/health-check`, 'Check that all served data is readable', () =>
      indicators(watched),
    ),
    check(NAMES[version].live, `/${version}/live-check`, 'Check that the service responds', async () => ({})),
  ])
}

function check(
  operationId: string,
  path: string,
  summary: string,
  read: () => Promise<Readonly<Record<string, { readonly status: 'up' }>>>,
): Endpoint {
  return define({
    method: 'GET',
    path,
    operationId,
    summary,
    tag: 'Health',
    scope: path.startsWith('/v1') ? 'data' : 'metrics',
    units: 0,
    isOpen: true,
    pathParameters: {},
    queryParameters: {},
    response: Result,
    handle: async () => {
      const info = await read()
      return { body: { status: 'ok', info, error: {}, details: info } }
    },
  })
}

/**
 * Returns the health of each part, by name.
 * @throws DataApiError that names the first part that is down
 */
async function indicators({ store, chains, limiter }: Watched) {
  const up = { status: 'up' } as const
  const reads = [
    ...(store === undefined ? [] : [['primaryNetwork', () => store.snapshot()] as const]),
    ...chains.map((source) => [`chain ${source.chain.chainId}`, () => source.store.snapshot()] as const),
  ]
  const entries = reads.map(async ([name, read]) => {
    try {
      await read()
      return [name, up] as const
    } catch (cause) {
      const { code, message } = translate(cause)
      throw code === 'DATA_UNAVAILABLE' ? new DataApiError(code, `${name}: ${message}`, { cause }) : cause
    }
  })
  const limits = limiter === undefined ? [] : [limiter.check().then(() => ['rateLimiter', up] as const)]
  return Object.fromEntries(await Promise.all([...entries, ...limits]))
}
