import { Periods } from '@firn/evm'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { METRIC_NAMES } from './Metrics.ts'
import { metricPage } from './metricPage.ts'
import { countChains, metricsChain } from './metricsChains.ts'
import { MetricsApiResponse, pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

const USUAL_PAGE = 100
/** Number of points that together cost one additional compute unit. */
const POINTS_A_UNIT = 10

/** `GET /v2/chains/{chainId}/metrics/{metric}`: a metric of a chain by hour, day, week or month. */
export function getMetric(context: EvmContext, tokens: UuidTokens): Endpoint {
  return define({
    method: 'GET',
    path: '/v2/chains/{chainId}/metrics/{metric}',
    operationId: 'getEvmChainMetrics',
    summary: 'A metric of one chain, or of all chains of a network together, newest first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    extraUnits: ({ query }) => Math.ceil(Math.max(query.pageSize - USUAL_PAGE, 0) / POINTS_A_UNIT),
    rows: ({ path, query }) => query.pageSize * countChains(context, path.chainId),
    pathParameters: { chainId: metricsChain(context), metric: Parameter.choice(METRIC_NAMES) },
    queryParameters: {
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      timeInterval: Parameter.optional(Parameter.choice(Periods.PERIODS)),
      pageSize: Parameter.integer(1, 2_160, USUAL_PAGE),
      pageToken,
    },
    response: MetricsApiResponse,
    handle: async ({ path, query, signal }) => {
      const asked = {
        ...path,
        interval: query.timeInterval,
        from: query.startTimestamp,
        until: query.endTimestamp,
        pageToken: query.pageToken,
        limit: query.pageSize,
      }
      const { points, nextPageToken, completeFrom } = await metricPage(context, tokens, asked, signal)
      const results = points.map(({ start, value }) => ({ value, timestamp: start }))
      return { body: { nextPageToken, completeFromTimestamp: completeFrom, results } }
    },
  })
}
