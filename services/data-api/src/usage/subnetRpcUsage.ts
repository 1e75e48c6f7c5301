import { UsageMetrics, type UsageStore } from '@firn/service-store'
import { type EvmContext, findBlockchain, servedAs } from '../evm/chain/EvmContext.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Names from '../primary/network/Names.ts'
import { assertFew, code, MOST_VALUES, name } from './parameters.ts'
import { rangeOf } from './ranges.ts'
import { byInterval, counts, groupValue, Usage } from './shapes.ts'

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
      responseCode: Parameter.optional(code),
      rpcMethod: Parameter.optional(name),
      rlBypassApiToken: Parameter.optional(name),
    },
    response: Usage,
    handle: async ({ query }) => {
      const { timeInterval: interval, chainId, groupBy } = query
      const range = rangeOf(query, interval, now)
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
      assertFew(sums)
      const metrics = byInterval(sums, (sum) => ({
        ...counts(sum, interval),
        groupedBy: groupBy ?? 'None',
        groupValue: groupValue(sum.group, groupBy),
      }))
      return { body: { aggregateDuration: interval, chainId: chainId ?? 'all', metrics } }
    },
  })
}
