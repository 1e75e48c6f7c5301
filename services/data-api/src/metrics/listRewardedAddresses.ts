import { Hex } from '@firn/codec'
import { Stakers } from '@firn/store'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import { list } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import { perBlock, primarySnapshots } from '../primary/network/PrimarySnapshots.ts'
import { address } from '../primary/shapes/Owner.ts'

/**
 * `GET /v2/subnets/{subnetId}/validators:getAddresses`: addresses that receive the rewards of validators that validated
 * within a time range.
 */
export function listRewardedAddresses(context: DataContext): Endpoint {
  const { store, tokens, constants } = context
  return list({
    path: '/v2/subnets/{subnetId}/validators:getAddresses',
    operationId: 'getValidatorsByDateRange',
    summary: 'Addresses that receive the rewards of a subnet’s validators within a time range',
    tag: 'Metrics',
    scope: 'metrics',
    units: 100,
    version: perBlock(context),
    pathParameters: { subnetId: Names.id },
    queryParameters: {
      network: Parameter.optional(Names.network(context)),
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
    },
    pageSize: { fallback: 1_000, maximum: 5_000 },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'PChainLookingGlassResponse',
    response: {
      addresses: Schema.list(
        Schema.object('PChainAddressDetails', 'Addresses that receive the rewards of a validation', {
          addresses: Field.addresses('Addresses'),
          sortKey: Schema.text('Start of the validation in Unix seconds, as decimal text', '1795219200'),
        }),
        'Validations of the page, the last started first',
      ),
    },
    read: async ({ path: { subnetId }, query, at, after, limit }) => {
      const { startTimestamp: from = 0n, endTimestamp: until } = query
      // Positions are sorted by start time, so the end of the range is a position as well.
      const end = until === undefined ? undefined : { startTime: until, txId: new Uint8Array() }
      const [startTime = '0', txId = ''] = after ?? []
      const place = after === undefined ? end : { startTime: BigInt(startTime), txId: Hex.decodeBare(txId) }
      const filter = { role: 'validator', subnetId, order: 'desc', limit } as const
      const found = await Stakers.page(store, at, { ...filter, after: place })
      const elements = found.filter(
        ({ staker, end }) => staker.rewardsOwner !== undefined && (end === undefined || end.time > from),
      )
      const last = found.at(-1)
      const isEnd = last === undefined || found.length < limit || isTooEarly(last, from, constants.staking)
      return { elements, stoppedAt: isEnd ? undefined : keyOf(last) }
    },
    keyOf,
    body: async (page) => ({
      addresses: page.map(({ staker }) => ({
        addresses: (staker.rewardsOwner?.addresses ?? []).map((one) => address(one, constants.hrp)),
        sortKey: String(staker.startTime),
      })),
    }),
  })
}

function keyOf({ staker }: Stakers.Details): readonly string[] {
  return [String(staker.startTime), Hex.encodeBare(staker.txId)]
}

/** Returns whether all validations that started earlier ended before a time, because none is longer than allowed. */
function isTooEarly(
  { staker }: Stakers.Details,
  from: bigint,
  { maxStakeDuration }: { readonly maxStakeDuration: bigint },
): boolean {
  return staker.startTime + maxStakeDuration < from
}
