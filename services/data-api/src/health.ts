import type { Store } from '@firn/store'
import { Type } from 'typebox'
import { DataApiError } from './DataApiError.ts'
import type { EvmChainSource } from './evm/EvmContext.ts'
import { define, type Endpoint } from './front/Endpoint.ts'

/** What is served, and is asked whether it can be read. */
export interface Served {
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

/** The checks of both hosts: `health-check` reads from every database, `live-check` says that the process answers. */
export function healthEndpoints(served: Served): readonly Endpoint[] {
  return (['v1', 'v2'] as const).flatMap((version) => [
    check(`/${version}/health-check`, 'Whether all that is served can be read', () => indicators(served)),
    check(`/${version}/live-check`, 'Whether the service answers', async () => ({})),
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
    units: 1,
    pathParameters: {},
    queryParameters: {},
    response: Result,
    handle: async () => {
      const info = await read()
      return { body: { status: 'ok', info, error: {}, details: info } }
    },
  })
}

/** Each by its name. A refusal tells the first that can't be read: clients know one shape of error alone. */
async function indicators({ store, chains }: Served) {
  const up = { status: 'up' } as const
  const checks = [
    ...(store === undefined ? [] : [['primaryNetwork', () => store.snapshot()] as const]),
    ...chains.map((source) => [`chain ${source.chain.chainId}`, () => source.store.snapshot()] as const),
  ]
  const entries = checks.map(async ([name, read]) => {
    try {
      await read()
      return [name, up] as const
    } catch (cause) {
      throw new DataApiError('DATA_UNAVAILABLE', `${name}: expected a database with blocks`, { cause })
    }
  })
  return Object.fromEntries(await Promise.all(entries))
}
