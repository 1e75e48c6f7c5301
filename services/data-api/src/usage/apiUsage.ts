import { ApiUsage, type UsageStore } from '@firn/service-store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { assertFew, code, MOST_VALUES } from './parameters.ts'
import { rangeOf } from './ranges.ts'
import { API_GROUPINGS, ApiUsageBody, byInterval, counts, groupValue, ORGANIZATION } from './shapes.ts'
import { FILTERS, visibleKey } from './viewer.ts'

/** Dependencies of the counts of requests to the Data API. */
export interface ApiUsageContext {
  /** Store of the requests. If undefined, there are none. */
  readonly usage: UsageStore | undefined
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
}

const INTERVALS = ['minute', 'hourly', 'daily', 'weekly', 'monthly'] as const

/** `GET /v1/apiUsageMetrics`: number of requests to the Data API with the caller's API key, by time interval. */
export function apiUsage({ usage, now }: ApiUsageContext): Endpoint {
  return define({
    path: '/v1/apiUsageMetrics',
    operationId: 'getApiUsageMetrics',
    method: 'GET',
    summary: 'Number of requests to the Data API with the caller’s key, with their compute units and success',
    tag: 'Usage',
    scope: 'usage',
    units: 200,
    pathParameters: {},
    queryParameters: {
      ...FILTERS,
      timeInterval: Parameter.choice(INTERVALS, 'daily'),
      groupBy: Parameter.optional(Parameter.choice(API_GROUPINGS)),
      responseCode: Parameter.optional(code),
    },
    response: ApiUsageBody,
    handle: async ({ query, caller }) => {
      const { timeInterval: interval, groupBy, requestType } = query
      const range = rangeOf(query, interval, now)
      const keyId = await visibleKey(caller, query.apiKeyId)
      const sums =
        usage === undefined || requestType === 'rpc'
          ? []
          : await ApiUsage.read(usage, {
              interval,
              ...range,
              // Every counted request has the same type.
              groupBy: groupBy === 'requestType' ? undefined : groupBy,
              keyId,
              chainId: query.chainId,
              endpoint: query.requestPath,
              status: query.responseCode,
              limit: MOST_VALUES + 1,
            })
      assertFew(sums)
      const metrics = byInterval(sums, (sum) => ({
        ...counts(sum, interval),
        groupedBy: groupBy ?? 'None',
        groupValue: groupBy === 'requestType' ? 'data' : groupValue(sum.group, groupBy),
      }))
      return { body: { aggregateDuration: interval, orgId: ORGANIZATION, metrics } }
    },
  })
}
