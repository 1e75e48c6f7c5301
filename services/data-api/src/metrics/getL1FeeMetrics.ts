import { L1Validators, Subnets } from '@firn/store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { createFeeReader, type FeeDay, type ReadFees } from '../primary/l1Fees.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import { perBlock } from '../primary/network/PrimarySnapshots.ts'
import { MetricsApiResponse } from './parameters.ts'

/** Returns the values of a metric for consecutive days. */
type Series = (days: readonly FeeDay[]) => readonly bigint[]

const daily: Series = (days) => days.map(({ fees }) => fees)
const paying: Series = (days) => days.map(({ paying }) => paying)
const cumulative: Series = (days) => {
  let total = 0n
  return days.map(({ fees }) => {
    total += fees
    return total
  })
}

/** A metric's endpoint: its path, its metrics, and what its path selects. */
interface Scoped<Path extends Parameter.Specification> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly metrics: Readonly<Record<string, Series>>
  readonly pathParameters: Path
  readonly scopeOf: (path: Parameter.Values<Path>) => Partial<L1Validators.FeeScope>
}

/** `GET /v2/…/metrics/{metric}`: what L1 validators paid by day: all, the validators of a subnet or a node, or one. */
export function getL1FeeMetrics(context: DataContext): readonly Endpoint[] {
  const read = createFeeReader(context.store, context.constants.upgrades.etna)
  return [
    series(context, read, {
      path: '/v2/validators/metrics/{metric}',
      operationId: 'getTotalL1ValidatorMetrics',
      summary: 'Fees of all L1 validators, or how many paid, by day, newest first',
      metrics: {
        totalCumulativeFeesDaily: cumulative,
        totalValidatorFeesDaily: daily,
        totalPayingValidatorsDaily: paying,
      },
      pathParameters: {},
      scopeOf: () => ({}),
    }),
    series(context, read, {
      path: '/v2/subnet/{subnetId}/metrics/{metric}',
      operationId: 'getMetricsBySubnetId',
      summary: 'Fees of an L1’s validators, or how many paid, by day, newest first',
      metrics: {
        perSubnetDailyFeesPaid: daily,
        perSubnetCumulativeFeesPaid: cumulative,
        perSubnetPayingValidators: paying,
      },
      pathParameters: { subnetId: Names.id },
      scopeOf: ({ subnetId }) => ({ subnetId }),
    }),
    series(context, read, {
      path: '/v2/validator/{nodeId}/metrics/{metric}',
      operationId: 'getMetricsByNodeId',
      summary: 'Fees of a node’s validations of L1s by day, newest first',
      metrics: { perNodeDailyFeesPaid: daily, perNodeCumulativeFeesPaid: cumulative },
      pathParameters: { nodeId: Names.nodeId },
      scopeOf: ({ nodeId }) => ({ nodeId }),
    }),
    series(context, read, {
      path: '/v2/validation/{l1ValidationId}/metrics/{metric}',
      operationId: 'getMetricsByValidationId',
      summary: 'Fees of an L1 validation by day, newest first',
      metrics: { validationFeesDaily: daily, validationCumulativeFeesDaily: cumulative },
      pathParameters: { l1ValidationId: Names.validationId },
      scopeOf: ({ l1ValidationId: validationId }) => ({ validationId }),
    }),
  ]
}

function series<const Path extends Parameter.Specification>(
  context: DataContext,
  read: ReadFees,
  { metrics, pathParameters, scopeOf, ...made }: Scoped<Path>,
): Endpoint {
  const { store } = context
  return define({
    ...made,
    method: 'GET',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    version: perBlock(context),
    pathParameters: { ...pathParameters, metric: Parameter.choice(Object.keys(metrics)) },
    queryParameters: {
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
    },
    response: MetricsApiResponse,
    handle: async ({ path, query: { startTimestamp: from = 0n, endTimestamp: until } }) => {
      const { metric } = path as { readonly metric: string }
      const at = await store.snapshot()
      const found = scopeOf(path as Parameter.Values<Path>)
      const scope = { validationId: undefined, nodeId: undefined, subnetId: undefined, ...found }
      const days = await read(at, scope)
      if (days.length === 0) await assertKnown(context, scope)
      const values = metrics[metric]?.(days) ?? []
      const points = days.map(({ day: timestamp }, i) => ({ timestamp, value: values[i] ?? 0n }))
      const results = points.filter(
        ({ timestamp }) => timestamp >= from && (until === undefined || timestamp < until),
      )
      return { body: { results: results.reverse() }, height: at.P.height, time: at.P.time }
    },
  })
}

/**
 * Throws if the network never had what a path names. A subnet without L1 validators has no points.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
async function assertKnown({ store }: DataContext, scope: L1Validators.FeeScope): Promise<void> {
  const { validationId, nodeId, subnetId } = scope
  const at = await store.snapshot()
  if (subnetId !== undefined) {
    if ((await Subnets.detailsById(store, at, subnetId)) !== undefined) return
    throw new DataApiError('DATA_NOT_FOUND', 'subnetId: this network has no such subnet')
  }
  if (validationId === undefined && nodeId === undefined) return
  const found = await L1Validators.page(store, at, {
    ...scope,
    isInactiveToo: true,
    after: undefined,
    limit: 1,
  })
  if (found.length > 0) return
  const [name, what] = validationId === undefined ? ['nodeId', 'node'] : ['l1ValidationId', 'validation']
  throw new DataApiError('DATA_NOT_FOUND', `${name}: no L1 of this network had such a ${what}`)
}
