import { EvmIcm } from '@firn/evm-store'
import { chainId, chainOf, type EvmContext } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'

/** Whether each metric counts the messages that the chain sent, those that it received, or both. */
const DIRECTIONS = {
  teleporterSourceTxnCount: [true],
  teleporterDestinationTxnCount: [false],
  teleporterTotalTxnCount: [true, false],
} as const satisfies Readonly<Record<string, readonly boolean[]>>

const METRICS = Object.keys(DIRECTIONS) as readonly (keyof typeof DIRECTIONS)[]

/** All blocks of a chain. */
const ALL = [{ period: 'all', from: 0n }] as const

/** `GET /v2/chains/{chainId}/teleporterMetrics/{metric}`: the number of messages that a chain sent or received. */
export function getTeleporterMetric(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v2/chains/{chainId}/teleporterMetrics/{metric}',
    operationId: 'getTeleporterMetricsByChain',
    summary: 'Number of messages that a chain sent to other chains, received from them, or both',
    tag: 'Metrics',
    scope: 'metrics',
    units: 20,
    pathParameters: { chainId: chainId(context), metric: Parameter.choice(METRICS) },
    queryParameters: {},
    response: Schema.object('TeleporterChainMetricsApiResponse', 'A number of messages', {
      result: Schema.object('TeleporterMetricsValue', 'A number of messages', {
        value: Schema.integer('Number of messages in all blocks', 120),
      }),
    }),
    handle: async ({ path, signal }) => {
      const { store } = chainOf(context, path.chainId)
      const snapshots = evmSnapshots(store)
      return latestOf(snapshots, signal, async (at) => {
        const counts = await Promise.all(
          DIRECTIONS[path.metric].map((isSent) => EvmIcm.windows(store, { isSent, groupBy: [] }, ALL, 1)),
        )
        const value = counts.flat().reduce((sum, { messages: [count = 0n] }) => sum + count, 0n)
        return { body: { result: { value } }, ...snapshots.head(at) }
      })
    },
    version: async ({ path }) => (await chainOf(context, path.chainId).store.snapshot()).key,
  })
}
