import type { UsageMetrics } from '@firn/store'
import type { Body } from '../front/Endpoint.ts'
import * as Field from '../front/Field.ts'
import * as Schema from '../front/Schema.ts'

const SECONDS = { hourly: 3_600, daily: 86_400, weekly: 604_800 } as const

/** Request counts of an interval, in total or for one group. */
const Value = Schema.object(
  'RpcUsageMetricsValueAggregated',
  'Request counts of an interval, in total or for one group',
  {
    totalRequests: Schema.integer('Number of requests', 120_000),
    apiCreditsUsed: Schema.integer('Credits of the requests', 2_400_000),
    requestsPerSecond: Schema.number('Requests divided by the seconds of the whole interval', 1.39),
    successRatePercent: Field.percent('Share of requests with a response code below 400', 99.8),
    medianResponseTimeMsecs: Schema.number('Median response time, in milliseconds', 12.5),
    invalidRequests: Schema.integer('Number of requests with a 4xx response code', 240),
    apiCreditsWasted: Schema.integer('Credits of requests with a 4xx response code', 4_800),
    groupedBy: Schema.choice(
      ['rpcMethod', 'responseCode', 'rlBypassToken', 'None'],
      'What the group has in common',
    ),
    groupValue: Schema.optional(
      Schema.union(
        'RpcUsageMetricsGroup',
        'Method, response code, or name of a bypass token; absent for requests without a token',
        [Schema.text('Method or name of a token', 'eth_call'), Schema.integer('Response code', 200)],
      ),
    ),
  },
)

/** The response body of the usage endpoint. */
export const Usage = Schema.object('SubnetRpcUsageMetricsResponse', 'Request counts by time interval', {
  aggregateDuration: Schema.text('Interval: hourly, daily, weekly or monthly', 'daily'),
  chainId: Schema.text('Requested chain, or `all`', 'all'),
  metrics: Schema.list(
    Schema.object('RpcMetrics', 'Request counts of one interval', {
      timestamp: Field.seconds('Start of the interval'),
      values: Schema.list(Value, 'Counts, one for each group'),
    }),
    'Counts, one element for each interval with requests',
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
