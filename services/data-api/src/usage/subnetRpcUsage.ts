import { UsageMetrics, type UsageStore } from '@firn/store'
import { type EvmContext, findBlockchain, servedAs } from '../evm/EvmContext.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import { Usage, value } from './shapes.ts'

/** Dependencies of the usage endpoints. */
export interface UsageContext {
  /** Store of the counted requests. If undefined, the answers contain no metrics. */
  readonly usage: UsageStore | undefined
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
  /** The served EVM chains, used to resolve blockchain ids. */
  readonly evm: EvmContext
}

const INTERVALS = ['hourly', 'daily', 'weekly', 'monthly'] as const
const GROUPINGS = ['rpcMethod', 'responseCode', 'rlBypassToken'] as const
const DAY = 86_400n
/**
 * Maximum number of intervals in one answer. If no start is given, the range has this length. Every month counts as
 * 31 days.
 */
const MOST_INTERVALS = 1_000n
const LONGEST = { hourly: 3_600n, daily: DAY, weekly: 7n * DAY, monthly: 31n * DAY } as const
/** Maximum number of values in one answer, about 25 MB. */
const MOST_VALUES = 100_000

const name = Parameter.text('1 to 128 characters', (text) =>
  /^[\x20-\x7e]{1,128}$/.test(text) ? text : undefined,
)
const status = Parameter.text('a response code from 100 to 599', (text) =>
  /^[1-5][0-9]{2}$/.test(text) ? Number(text) : undefined,
)

/**
 * Returns the parameter for a chain. It accepts the name under which the gateway counts the chain's requests.
 * A blockchain id of a served chain is converted to its EVM chain id.
 */
function chainName(evm: EvmContext): Parameter.Parameter<string> {
  return {
    ...name,
    prepare: ([text = '']) => findBlockchain(evm, text),
    parse: (texts) => {
      const text = name.parse(texts)
      const blockchainId = text === undefined ? undefined : Names.parseId(text)
      const chainId = blockchainId && servedAs(evm, blockchainId)
      return chainId === undefined ? text : String(chainId)
    },
  }
}

/**
 * `GET /v1/subnetRpcUsageMetrics`: number of requests that RPC gateways forwarded to nodes, by time interval.
 * `/v1/rpcUsageMetrics` is its deprecated name.
 */
export function subnetRpcUsage(context: UsageContext): readonly Endpoint[] {
  return [
    endpoint(context, { path: '/v1/subnetRpcUsageMetrics', operationId: 'getSubnetRpcUsageMetrics' }),
    endpoint(context, { path: '/v1/rpcUsageMetrics', operationId: 'getRpcUsageMetrics', isDeprecated: true }),
  ]
}

type Route = Pick<Endpoint, 'path' | 'operationId' | 'isDeprecated'>

function endpoint({ usage, now, evm }: UsageContext, route: Route): Endpoint {
  return define({
    ...route,
    method: 'GET',
    summary: 'Number of requests to nodes, with their credits, success and median latency',
    tag: 'Usage',
    scope: 'usage',
    units: 200,
    pathParameters: {},
    queryParameters: {
      timeInterval: Parameter.choice(INTERVALS, 'daily'),
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      groupBy: Parameter.optional(Parameter.choice(GROUPINGS)),
      chainId: Parameter.optional(chainName(evm)),
      responseCode: Parameter.optional(status),
      rpcMethod: Parameter.optional(name),
      rlBypassApiToken: Parameter.optional(name),
    },
    response: Usage,
    handle: async ({ query }) => {
      const { timeInterval: interval, chainId, groupBy } = query
      const range = rangeOf(query.startTimestamp, query.endTimestamp, interval, now)
      const selection = {
        interval,
        ...range,
        groupBy,
        chainId,
        method: query.rpcMethod,
        status: query.responseCode,
        token: query.rlBypassApiToken,
        limit: MOST_VALUES + 1,
      }
      const sums = usage === undefined ? [] : await UsageMetrics.read(usage, selection)
      if (sums.length > MOST_VALUES) {
        const expected = `a range with at most ${MOST_VALUES} values`
        throw Parameter.refused('startTimestamp', expected, 'more values; shorten the range or add filters')
      }
      const metrics = [...Map.groupBy(sums, ({ begin }) => begin)].map(([begin, some]) => ({
        timestamp: begin,
        values: some.map((sum) => value(sum, selection)),
      }))
      return { body: { aggregateDuration: interval, chainId: chainId ?? 'all', metrics } }
    },
  })
}

/**
 * Returns the time range from the start's day to the end's day (exclusive). Without a start, the range is as long as
 * possible; without an end, it ends now.
 */
function rangeOf(
  start: bigint | undefined,
  end: bigint | undefined,
  interval: UsageMetrics.Interval,
  now: () => number,
): { readonly from: bigint; readonly to: bigint } {
  const to = end === undefined ? BigInt(Math.floor(now() / 1000)) : dayOf(end)
  const most = MOST_INTERVALS * LONGEST[interval]
  if (start === undefined) return { from: to > most ? dayOf(to - most + DAY - 1n) : 0n, to }
  if (end !== undefined && start > end) {
    throw Parameter.refused('startTimestamp', 'a time up to endTimestamp', 'a later time')
  }
  if (to - dayOf(start) > most) {
    throw Parameter.refused('startTimestamp', `at most ${MOST_INTERVALS} intervals`, 'a longer range')
  }
  return { from: dayOf(start), to }
}

function dayOf(time: bigint): bigint {
  return time - (time % DAY)
}
