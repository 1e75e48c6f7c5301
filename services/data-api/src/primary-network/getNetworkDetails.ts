import { Hex } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Stakers, Supplies } from '@firn/store'
import { Type } from 'typebox'
import type { DataContext, Observation } from '../Context.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Names from '../Names.ts'
import { perBlockUnlessObserved } from '../PrimarySnapshots.ts'

const NetworkDetails = Type.Object({
  validatorDetails: Type.Object({
    validatorCount: Type.Number(),
    totalAmountStaked: Type.String({ description: 'the validators’ own stake, in nAVAX' }),
    estimatedAnnualStakingReward: Type.String({
      description: 'expected rewards of all current stakers, in nAVAX',
    }),
    stakingDistributionByVersion: Type.Array(
      Type.Object({ version: Type.String(), amountStaked: Type.String(), validatorCount: Type.Number() }),
      {
        description:
          'stake by node version, for validators connected to this service’s node; empty if no node is configured',
      },
    ),
    stakingRatio: Type.String({ description: 'total stake divided by the total supply' }),
  }),
  delegatorDetails: Type.Object({ delegatorCount: Type.Number(), totalAmountStaked: Type.String() }),
})

/** `GET /v1/networks/{network}`: number and stake of the Primary Network's stakers. */
export function getNetworkDetails(context: DataContext): Endpoint {
  const { store, observations } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}',
    summary: 'Number and stake of the Primary Network’s validators and delegators',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlockUnlessObserved(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: {},
    response: NetworkDetails,
    handle: async () => {
      const at = await store.snapshot()
      const [totals, supply = 0n, seen] = await Promise.all([
        Stakers.totals(store, at, Networks.PRIMARY_NETWORK_ID),
        Supplies.bySubnet(store, at, Networks.PRIMARY_NETWORK_ID),
        observations?.(),
      ])
      const { validators, delegatorCount, delegatedWeight, potentialReward } = totals
      const own = validators.reduce((sum, { weight }) => sum + weight, 0n)
      const body = {
        validatorDetails: {
          validatorCount: validators.length,
          totalAmountStaked: String(own),
          estimatedAnnualStakingReward: String(potentialReward),
          stakingDistributionByVersion: distribution(totals, seen ?? new Map()),
          stakingRatio: ratio(own + delegatedWeight, supply),
        },
        delegatorDetails: { delegatorCount, totalAmountStaked: String(delegatedWeight) },
      }
      return { body, height: at.P.height, time: at.P.time }
    },
  })
}

function distribution(
  { validators }: Stakers.StakeTotals,
  seen: ReadonlyMap<string, Observation>,
): { readonly version: string; readonly amountStaked: string; readonly validatorCount: number }[] {
  const versions = Map.groupBy(validators, ({ nodeId }) => seen.get(Hex.encodeBare(nodeId))?.version)
  return [...versions]
    .flatMap(([version, some]) => (version === undefined ? [] : [{ version, some }]))
    .map(({ version, some }) => ({
      version,
      amountStaked: String(some.reduce((sum, { weight }) => sum + weight, 0n)),
      validatorCount: some.length,
    }))
    .sort((a, b) => (a.version < b.version ? -1 : 1))
}

/** Formats a ratio with at most six decimal places. */
function ratio(part: bigint, whole: bigint): string {
  return whole === 0n ? '0' : String(Number((part * 1_000_000n) / whole) / 1_000_000)
}
