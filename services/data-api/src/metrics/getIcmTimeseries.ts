import { Hex } from '@firn/codec'
import { Periods } from '@firn/evm'
import { EvmIcm } from '@firn/evm-store'
import { chainsSnapshots } from '../evm/chain/chainsSnapshots.ts'
import type { EvmContext } from '../evm/chain/EvmContext.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import { list } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { countParameters, countSources, formatRoute, routeKey, routeMembers } from './icmCounts.ts'

/** Rows that each chain reads for a point: one for each of its routes in the period. */
const ROWS_PER_CHAIN = 10

const Value = Schema.object('ICMMetricsValue', 'Number of messages of an interval', {
  value: Schema.integer('Number of messages', 120),
  timestamp: Field.seconds('Start of the interval'),
  ...routeMembers,
})

/** `GET /v2/icm/timeseries`: numbers of messages between chains by hour, day, week or month. */
export function getIcmTimeseries(context: EvmContext): Endpoint {
  return list({
    path: '/v2/icm/timeseries',
    operationId: 'getICMTimeseries',
    summary:
      'Numbers of messages between chains by interval, newest first, in total or by route. Intervals without messages are left out.',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    rowsPerElement: () => ROWS_PER_CHAIN * context.chains.length,
    tokens: context.tokens,
    snapshots: chainsSnapshots(context),
    pathParameters: {},
    queryParameters: {
      ...countParameters(context),
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      timeInterval: Parameter.optional(Parameter.choice(Periods.PERIODS)),
    },
    pageSize: { fallback: 100, maximum: 2_160 },
    responseName: 'ICMMetricsApiResponse',
    response: { results: Schema.list(Value, 'Intervals of the page') },
    read: async (request) => {
      const { query, limit } = request
      const { sources } = await countSources(request)
      const pages = await Promise.all(
        sources.map(({ chain, counted }) =>
          EvmIcm.series(chain.source.store, {
            ...counted,
            period: query.timeInterval ?? 'day',
            from: query.startTimestamp,
            until: query.endTimestamp,
            after: placeOf(request.after),
            limit,
          }),
        ),
      )
      return added(pages.flat()).slice(0, limit)
    },
    keyOf: ({ start, source, destination }) => [
      String(start),
      ...[source, destination].map((id) => (id === null ? '' : Hex.encodeBare(id))),
    ],
    body: async (page, request) => {
      const { asked } = await countSources(request)
      return {
        results: page.map((one) => ({
          value: one.messages,
          timestamp: one.start,
          ...formatRoute(one, asked),
        })),
      }
    },
  })
}

/** Adds up the numbers of equal intervals and routes of several chains, in the order in which each chain returns them. */
function added(all: readonly EvmIcm.IcmCount[]): readonly EvmIcm.IcmCount[] {
  return [...Map.groupBy(all, (one) => `${one.start} ${routeKey(one)}`).values()]
    .flatMap((own) => {
      const [first] = own
      return first === undefined
        ? []
        : [{ ...first, messages: own.reduce((sum, one) => sum + one.messages, 0n) }]
    })
    .toSorted((a, b) => {
      if (a.start !== b.start) return a.start > b.start ? -1 : 1
      return routeKey(a) < routeKey(b) ? -1 : 1
    })
}

function placeOf(after: readonly string[] | undefined): EvmIcm.SeriesQuery['after'] {
  if (after === undefined) return undefined
  const [start = '0', source = '', destination = ''] = after
  const idOf = (digits: string) => (digits === '' ? null : Hex.decodeBare(digits))
  return { start: BigInt(start), source: idOf(source), destination: idOf(destination) }
}
