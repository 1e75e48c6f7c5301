import { EvmIcm } from '@firn/evm-store'
import { chainsSnapshots } from '../evm/chain/chainsSnapshots.ts'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { countParameters, countSources, formatRoute, routeKey, routeMembers } from './icmCounts.ts'
import { beginOf, WINDOW_NAMES, WINDOWS, windowMembers } from './Windows.ts'

/** Maximum number of routes in an answer; those with the most messages are kept. */
const MOST_ROUTES = 1_000
/** Approximate number of rows that the windows of one route of a chain read. */
const ROWS = 500

const Values = Schema.object('ICMRollingWindowMetricsValue', 'Numbers of messages over windows', {
  ...windowMembers('Number of messages'),
  ...routeMembers,
})

/** `GET /v2/icm/summary`: numbers of messages between chains over windows that end with the newest block. */
export function getIcmSummary(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v2/icm/summary',
    operationId: 'getICMSummary',
    summary:
      'Numbers of messages between chains for time windows that end with the newest block, in total or by route',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    rows: () => ROWS * context.chains.length,
    pathParameters: {},
    queryParameters: countParameters(context),
    response: Schema.object('ICMRollingWindowMetricsApiResponse', 'Numbers of messages', {
      result: Schema.as(Values, 'All messages that match the filters'),
      results: Schema.optional(
        Schema.list(Values, 'With `groupBy`: the routes with the most messages, at most 1,000'),
      ),
    }),
    handle: ({ query, signal }) =>
      latestOf(chainsSnapshots(context), signal, async (at) => {
        const { sources, asked } = await countSources({ at, query })
        const head = chainsSnapshots(context).head(at)
        const windows = WINDOW_NAMES.map((name) => ({
          period: WINDOWS[name][0],
          from: beginOf(WINDOWS[name], head.time),
        }))
        const read = async (groupBy: EvmIcm.Counted['groupBy']) => {
          const pages = await Promise.all(
            sources.map(({ chain, counted }) =>
              EvmIcm.windows(chain.source.store, { ...counted, groupBy }, windows, MOST_ROUTES),
            ),
          )
          return added(pages.flat()).map((one) => ({ ...named(one.messages), ...formatRoute(one, asked) }))
        }
        const groupBy = sources[0]?.counted.groupBy ?? []
        const [result = { ...named([]), ...formatRoute({ source: null, destination: null }, asked) }] =
          await read([])
        return { body: { result, results: groupBy.length === 0 ? undefined : await read(groupBy) }, ...head }
      }),
  })
}

function named(messages: readonly bigint[]) {
  return Object.fromEntries(WINDOW_NAMES.map((name, i) => [name, messages[i] ?? 0n]))
}

/** Adds up the numbers of equal routes of several chains. The route with the most messages comes first. */
function added(all: readonly EvmIcm.IcmWindows[]): readonly EvmIcm.IcmWindows[] {
  const total = ({ messages }: EvmIcm.IcmWindows) => messages.at(-1) ?? 0n
  return [...Map.groupBy(all, routeKey).values()]
    .flatMap((own) => {
      const [first] = own
      if (first === undefined) return []
      const messages = first.messages.map((_, i) =>
        own.reduce((sum, one) => sum + (one.messages[i] ?? 0n), 0n),
      )
      return [{ ...first, messages }]
    })
    .toSorted((a, b) => Number(total(b) - total(a)))
    .slice(0, MOST_ROUTES)
}
