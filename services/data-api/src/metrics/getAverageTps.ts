import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { metricPage } from './metricPage.ts'
import { countChains, metricsChain } from './metricsChains.ts'
import { MetricsValue, nextPageToken, pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

const POINTS = 100

/**
 * `GET /v1/avg_tps/{chainId}`: transactions per second for each day. Deprecated, from an older version of the
 * Metrics API.
 */
export function getAverageTps(context: EvmContext, tokens: UuidTokens): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/avg_tps/{chainId}',
    operationId: 'getAverageTps',
    isDeprecated: true,
    summary: 'Transactions per second for each day, newest first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 20,
    rows: ({ path }) => POINTS * countChains(context, path.chainId),
    pathParameters: { chainId: metricsChain(context) },
    queryParameters: {
      from: Parameter.optional(Parameter.timestamp),
      to: Parameter.optional(Parameter.timestamp),
      pageToken,
      startKey: pageToken,
    },
    response: Schema.object('AverageTpsResponse', 'A page of transactions per second', {
      results: Schema.list(MetricsValue, 'Days of the page, newest first'),
      status: Schema.integer('Always 200', 200),
      lastRun: Field.seconds('Time of the newest block'),
      nextPageToken,
      nextPageStartKey: nextPageToken,
    }),
    handle: async ({ path, query, signal }) => {
      const asked = {
        ...path,
        metric: 'avgTps',
        interval: 'day',
        from: query.from,
        until: query.to,
        pageToken: query.pageToken ?? query.startKey,
        limit: POINTS,
      } as const
      const { points, nextPageToken, time } = await metricPage(context, tokens, asked, signal)
      const results = points.map(({ start, value }) => ({ timestamp: start, value }))
      // The stored totals are updated with each block, so `lastRun` is the time of the newest block.
      return { body: { results, status: 200, lastRun: time, nextPageToken, nextPageStartKey: nextPageToken } }
    },
  })
}
