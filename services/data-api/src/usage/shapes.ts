import type { ApiUsage, UsageMetrics } from '@firn/service-store'
import type { Body } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { secondsOf } from './ranges.ts'

/** Members of request counts, in total or for one group. */
const COUNTS = {
  totalRequests: Schema.integer('Number of requests', 120_000),
  apiCreditsUsed: Schema.integer('Credits of the requests', 2_400_000),
  requestsPerSecond: Schema.number('Requests divided by the seconds of the whole interval', 1.39),
  successRatePercent: Field.percent('Share of requests with a response code below 400', 99.8),
  medianResponseTimeMsecs: Schema.number('Median response time, in milliseconds', 12.5),
  invalidRequests: Schema.integer('Number of requests with a 4xx response code', 240),
  apiCreditsWasted: Schema.integer('Credits of requests with a 4xx response code', 4_800),
}

const Value = Schema.object(
  'RpcUsageMetricsValueAggregated',
  'Request counts of an interval, in total or for one group',
  {
    ...COUNTS,
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

/** Name of the only organization of a service. */
export const ORGANIZATION = 'default'
const orgId = Schema.text('Organization of the keys; a service has only one', ORGANIZATION)

/** Properties by which requests to the Data API are grouped. */
export const API_GROUPINGS = ['requestPath', 'responseCode', 'chainId', 'apiKeyId', 'requestType'] as const
export const REQUEST_TYPES = ['data', 'rpc'] as const

const ApiValue = Schema.object(
  'UsageMetricsValueDTO',
  'Counts of requests to the Data API in an interval, in total or for one group',
  {
    ...COUNTS,
    groupedBy: Schema.choice([...API_GROUPINGS, 'None'], 'What the group has in common'),
    groupValue: Schema.optional(
      Schema.union(
        'UsageMetricsGroup',
        'Path pattern, response code, chain, id of the key, or type; absent for requests without a chain',
        [
          Schema.text('Path pattern, chain, id of the key, or type', '/v1/chains/{chainId}/blocks'),
          Schema.integer('Response code', 200),
        ],
      ),
    ),
  },
)

/** The response body of the counts of requests to the Data API. */
export const ApiUsageBody = Schema.object(
  'UsageMetricsResponseDTO',
  'Counts of requests to the Data API by time interval',
  {
    aggregateDuration: Schema.text('Interval: minute, hourly, daily, weekly or monthly', 'daily'),
    orgId,
    metrics: Schema.list(
      Schema.object('Metric', 'Request counts of one interval', {
        timestamp: Field.seconds('Start of the interval'),
        values: Schema.list(ApiValue, 'Counts, one for each group'),
      }),
      'Counts, one element for each interval with requests',
    ),
  },
)

const LogEntry = Schema.object('LogsFormat', 'A request to the Data API', {
  orgId,
  logId: Schema.text(
    'Id of the request, as in `x-request-id` of its response',
    '0b2e5a4c-6b1d-4f0e-9c3a-5d7e8f9a0b1c',
  ),
  eventTimestamp: Field.seconds('Time at which the request ended'),
  apiKeyId: Schema.text('Id of the API key', '9f86d081884c7d65'),
  apiKeyAlias: Schema.text('Name of the API key', 'explorer'),
  hostRegion: Schema.text('Region of the service; always empty', ''),
  requestType: Schema.choice(
    REQUEST_TYPES,
    'Type of the request; always `data`, because gateways take no API keys',
  ),
  requestPath: Schema.text('Path of the request, without the query', '/v1/chains/43114/blocks'),
  apiCreditsConsumed: Schema.integer('Compute units of the request', 20),
  requestDurationMsecs: Schema.integer('Duration in milliseconds', 12),
  responseCode: Schema.integer('Response code', 200),
  chainId: Schema.optional(Schema.text('Chain in the path; absent if the path has none', '43114')),
  metadata: Schema.object(
    'LogsFormatMetadata',
    'The client; all members are empty if the service does not store them',
    {
      ipAddress: Schema.text('Address of the client', '203.0.113.9'),
      host: Schema.text('Host to which the client sent the request', 'api.example.org'),
      userAgent: Schema.text('Program of the client', 'curl/8.5.0'),
    },
  ),
})

/** The response body of the request log. */
export const ApiLogsBody = Schema.object('LogsResponseDTO', 'A page of requests to the Data API', {
  nextPageToken: Schema.optional(
    Schema.text('Token of the next page; absent on the last page', 'AAECAwQFBgcICQ'),
  ),
  orgId,
  logs: Schema.list(LogEntry, 'Requests of the page, newest first'),
})

/** Returns the request counts of an interval in the format of the responses, without the group. */
export function counts(sum: UsageMetrics.UsageSum, interval: ApiUsage.Interval) {
  const requests = Number(sum.requests)
  return {
    totalRequests: sum.requests,
    apiCreditsUsed: sum.credits,
    requestsPerSecond: requests / secondsOf(sum.begin, interval),
    successRatePercent: (Number(sum.successes) * 100) / requests,
    medianResponseTimeMsecs: sum.medianMilliseconds,
    invalidRequests: sum.invalidRequests,
    apiCreditsWasted: sum.invalidCredits,
  } satisfies Body
}

/** Returns the value of a group; undefined without grouping, and for requests without such a value. */
export function groupValue(group: string, groupBy: string | undefined): string | number | undefined {
  if (groupBy === undefined || group === '') return undefined
  return groupBy === 'responseCode' ? Number(group) : group
}

/** Returns values by the start of their interval, as lists of metrics. */
export function byInterval(
  sums: readonly UsageMetrics.UsageSum[],
  value: (sum: UsageMetrics.UsageSum) => Body,
): readonly Body[] {
  const intervals = Map.groupBy(sums, ({ begin }) => begin)
  return [...intervals].map(([begin, some]) => ({ timestamp: begin, values: some.map(value) }))
}
