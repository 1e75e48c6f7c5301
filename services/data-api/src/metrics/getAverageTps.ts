import { Type } from 'typebox'
import type { EvmContext } from '../evm/EvmContext.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import { metricPage } from './metricPage.ts'
import { countChains, metricsChain } from './metricsChains.ts'
import { pageToken } from './parameters.ts'
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
    response: Type.Object({
      results: Type.Array(Type.Object({ timestamp: Type.Integer(), value: Type.Number() })),
      status: Type.Integer(),
      lastRun: Type.Integer(),
      nextPageToken: Type.Optional(Type.String()),
      nextPageStartKey: Type.Optional(Type.String()),
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
