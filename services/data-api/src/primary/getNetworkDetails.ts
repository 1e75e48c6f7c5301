import { Hex } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Stakers, Supplies } from '@firn/store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import type { DataContext, Observation } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlockUnlessObserved } from './network/PrimarySnapshots.ts'

const NetworkDetails = Schema.object(
  'GetNetworkDetailsResponse',
  'Number and stake of the validators and delegators of the Primary Network',
  {
    validatorDetails: Schema.object('ValidatorsDetails', 'Validators of the Primary Network', {
      validatorCount: Field.count('Number of current validators', 850),
      totalAmountStaked: Field.nAvax('Own stake of the validators', '190000000000000000'),
      estimatedAnnualStakingReward: Field.nAvax(
        'Expected rewards of all current stakers',
        '9000000000000000',
      ),
      stakingDistributionByVersion: Schema.list(
        Schema.object('StakingDistribution', 'Stake of the validators with one version of the node', {
          version: Schema.text('Version of the node', 'avalanchego/1.14.0'),
          amountStaked: Field.nAvax('Own stake of the validators'),
          validatorCount: Field.count('Number of validators', 800),
        }),
        'Stake by version, for validators connected to the node of this service; empty if no node is configured',
      ),
      stakingRatio: Schema.text('Total stake divided by the total supply, as decimal text', '0.48'),
    }),
    delegatorDetails: Schema.object('DelegatorsDetails', 'Delegators of the Primary Network', {
      delegatorCount: Field.count('Number of current delegators', 30_000),
      totalAmountStaked: Field.nAvax('Delegated stake', '30000000000000000'),
    }),
  },
)

/** `GET /v1/networks/{network}`: number and stake of the Primary Network's stakers. */
export function getNetworkDetails(context: DataContext): Endpoint {
  const { store, observations } = context
  return define({
    method: 'GET',
    path: '/v1/networks/{network}',
    operationId: 'getNetworkDetails',
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
