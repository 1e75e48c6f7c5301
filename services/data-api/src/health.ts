import { isFirnError } from '@firn/codec'
import type { Store } from '@firn/store'
import { Type } from 'typebox'
import { DataApiError } from './DataApiError.ts'
import type { EvmChainSource } from './evm/EvmContext.ts'
import { define, type Endpoint } from './front/Endpoint.ts'
import type { Counters } from './front/RateLimit.ts'

/** Stores and counters that the health checks query. */
export interface Served {
  /** Shared rate-limit counters outside this process, if configured. */
  readonly limiter?: Pick<Counters, 'check'> | undefined
  readonly store: Store | undefined
  readonly chains: readonly EvmChainSource[]
}

const Indicators = Type.Record(Type.String(), Type.Object({ status: Type.Enum(['up', 'down']) }))
const Result = Type.Object({
  status: Type.Enum(['ok', 'error', 'shutting_down']),
  info: Indicators,
  error: Indicators,
  details: Indicators,
})

/**
 * Returns the health-check endpoints of the Data API and the Metrics API. `health-check` reads from every store and
 * checks the shared rate-limit counters. `live-check` only shows that the process responds.
 */
export function healthEndpoints(served: Served): readonly Endpoint[] {
  return (['v1', 'v2'] as const).flatMap((version) => [
    check(`/${version}/health-check`, 'Check that all served data is readable', () => indicators(served)),
    check(`/${version}/live-check`, 'Check that the service responds', async () => ({})),
  ])
}

function check(
  path: string,
  summary: string,
  read: () => Promise<Readonly<Record<string, { readonly status: 'up' }>>>,
): Endpoint {
  return define({
    method: 'GET',
    path,
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
async function indicators({ store, chains, limiter }: Served) {
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
      const reason =
        isFirnError(cause) && cause.code === 'STORE_HALTED' ? cause.message : 'no block is indexed'
      throw new DataApiError('DATA_UNAVAILABLE', `${name}: ${reason}`, { cause })
    }
  })
  const limits = limiter === undefined ? [] : [limiter.check().then(() => ['rateLimiter', up] as const)]
  return Object.fromEntries(await Promise.all([...entries, ...limits]))
}
