import type { UsageMetrics } from '@firn/store'
import { Type } from 'typebox'
import type { Body } from '../front/Endpoint.ts'

const SECONDS = { hourly: 3_600, daily: 86_400, weekly: 604_800 } as const

/** Request counts of an interval, in total or for one group. */
const Value = Type.Object({
  totalRequests: Type.Integer(),
  apiCreditsUsed: Type.Integer(),
  requestsPerSecond: Type.Number({ description: 'requests divided by the seconds of the whole interval' }),
  successRatePercent: Type.Number({ description: 'percentage of requests with a response code below 400' }),
  medianResponseTimeMsecs: Type.Number(),
  invalidRequests: Type.Integer({ description: 'number of requests with a 4xx response code' }),
  apiCreditsWasted: Type.Integer({ description: 'credits of requests with a 4xx response code' }),
  groupedBy: Type.Enum(['rpcMethod', 'responseCode', 'rlBypassToken', 'None']),
  groupValue: Type.Optional(
    Type.Union([Type.String(), Type.Integer()], {
      description: 'method, response code, or name of a bypass token; absent for requests without a token',
    }),
  ),
})

/** The response body of the usage endpoint. */
export const Usage = Type.Object({
  aggregateDuration: Type.String({ description: 'the interval: hourly, daily, weekly or monthly' }),
  chainId: Type.String({ description: 'the requested chain, or all' }),
  metrics: Type.Array(
    Type.Object({
      timestamp: Type.Integer({ description: 'start of the interval, in Unix seconds' }),
      values: Type.Array(Value),
    }),
  ),
})

/** Returns the request counts of an interval in the format of the response. */
export function value(
  sum: UsageMetrics.UsageSum,
  { interval, groupBy }: Pick<UsageMetrics.UsageQuery, 'interval' | 'groupBy'>,
): Body {
  const requests = Number(sum.requests)
  return {
    totalRequests: sum.requests,
    apiCreditsUsed: sum.credits,
    requestsPerSecond: requests / secondsOf(sum.begin, interval),
    successRatePercent: (Number(sum.successes) * 100) / requests,
    medianResponseTimeMsecs: sum.medianMilliseconds,
    invalidRequests: sum.invalidRequests,
    apiCreditsWasted: sum.invalidCredits,
    groupedBy: groupBy ?? 'None',
    groupValue: groupValue(sum.group, groupBy),
  }
}

function groupValue(group: string, groupBy: UsageMetrics.Grouping | undefined): string | number | undefined {
  if (groupBy === undefined || group === '') return undefined
  return groupBy === 'responseCode' ? Number(group) : group
}

function secondsOf(begin: bigint, interval: UsageMetrics.Interval): number {
  if (interval !== 'monthly') return SECONDS[interval]
  const date = new Date(Number(begin) * 1000)
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - date.getTime()) / 1000
}
