import { UsageMetrics, type UsageStore } from '@firn/store'
import { type EvmContext, findBlockchain, servedAs } from '../evm/EvmContext.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import { Usage, value } from './shapes.ts'

/** Dependencies of the usage endpoints. */
export interface UsageContext {
  /** Undefined if requests are not counted: then there is no usage. */
  readonly usage: UsageStore | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The served chains, by whose blockchain ids usage can also be requested. */
  readonly evm: EvmContext
}

const INTERVALS = ['hourly', 'daily', 'weekly', 'monthly'] as const
const GROUPINGS = ['rpcMethod', 'responseCode', 'rlBypassToken'] as const
const DAY = 86_400n
/**
 * Maximum number of intervals of one answer, and the default range without a start. Months count with their
 * maximum length.
 */
const MOST_INTERVALS = 1_000n
const LONGEST = { hourly: 3_600n, daily: DAY, weekly: 7n * DAY, monthly: 31n * DAY } as const
/** Maximum number of sums in one answer, some 25 MB. */
const MOST_VALUES = 100_000

const name = Parameter.text('1 to 128 characters', (text) =>
  /^[\x20-\x7e]{1,128}$/.test(text) ? text : undefined,
)
const status = Parameter.text('a response code, 100 to 599', (text) =>
  /^[1-5][0-9]{2}$/.test(text) ? Number(text) : undefined,
)

/** A chain by the gateway's name for it: the EVM chain id of a served blockchain. */
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
 * `GET /v1/subnetRpcUsageMetrics`: requests to the nodes behind the gateway, by time, and its deprecated name
 * `/v1/rpcUsageMetrics`.
 */
export function subnetRpcUsage(context: UsageContext): readonly Endpoint[] {
  const summary = 'Requests to nodes, their cost, their success and their median latency'
  return [
    endpoint(context, '/v1/subnetRpcUsageMetrics', summary),
    endpoint(context, '/v1/rpcUsageMetrics', `${summary}; deprecated: use /v1/subnetRpcUsageMetrics`),
  ]
}

function endpoint({ usage, now, evm }: UsageContext, path: string, summary: string): Endpoint {
  return define({
    method: 'GET',
    path,
    summary,
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
      const wanted = {
        interval,
        ...range,
        groupBy,
        chainId,
        method: query.rpcMethod,
        status: query.responseCode,
        token: query.rlBypassApiToken,
        limit: MOST_VALUES + 1,
      }
      const sums = usage === undefined ? [] : await UsageMetrics.read(usage, wanted)
      if (sums.length > MOST_VALUES) {
        const expected = `a range of at most ${MOST_VALUES} values`
        throw Parameter.refused('startTimestamp', expected, 'more values: request less time or more filters')
      }
      const metrics = [...Map.groupBy(sums, ({ begin }) => begin)].map(([begin, some]) => ({
        timestamp: begin,
        values: some.map((sum) => value(sum, wanted)),
      }))
      return { body: { aggregateDuration: interval, chainId: chainId ?? 'all', metrics } }
    },
  })
}

/** Returns the range from the start's day to the end's, exclusive; to now without an end. */
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
    throw Parameter.refused('startTimestamp', 'a time before endTimestamp', 'a later one')
  }
  if (to - dayOf(start) > most) {
    throw Parameter.refused('startTimestamp', `at most ${MOST_INTERVALS} intervals`, 'a longer time')
  }
  return { from: dayOf(start), to }
}

function dayOf(time: bigint): bigint {
  return time - (time % DAY)
}
