import { type Body, type Checks, pick, type Same, unique } from './Checks.ts'
import { list, type Network, transactions } from './ledgerChecks.ts'

/** Returns all L1 validators. */
const l1Validators = (network: Network) =>
  list(network, '/l1Validators?includeInactiveL1Validators=true', 'validators')

/** Values of a metric by the start of their day. */
type Days = ReadonlyMap<number, number>

/** Returns the values of a metric. */
async function days(network: Network, path: string): Promise<Days> {
  const { results = [] } = (await network.one(path)) ?? {}
  return new Map(results.map(({ timestamp, value }: Body) => [timestamp, value]))
}

/** Comparisons of L1 validators and of their fees. */
export const L1_CHECKS: Checks<Network> = {
  listL1Validators: async (network, same) => {
    const all = await l1Validators(network)
    const path = '/l1Validators?includeInactiveL1Validators=true'
    for (const [name, member] of FILTERS)
      for (const [value, expected] of Map.groupBy(all, (one) => one[member]))
        same(value, await list(network, `${path}&${name}=${value}`, 'validators'), expected)
    const active = all.filter(({ remainingBalance }) => remainingBalance > 0)
    same('active', await list(network, '/l1Validators', 'validators'), active)
    const states = (await transactions(network, 'p-chain')).flatMap((tx) => tx.l1ValidatorDetails ?? [])
    for (const one of all) {
      const { validationId, blsCredentials, remainingBalance } = one
      const own = states.filter((state) => state.validationId === validationId)
      same(validationId, pick(one, 'validationIdHex', 'nodeId', 'subnetId', 'weight'), own[0])
      same(validationId, blsCredentials.publicKey, own[0]?.blsCredentials.publicKey)
      const fees = await days(network, `/v2/validation/${validationId}/metrics/validationFeesDaily`)
      const paid = own.map(({ balanceChange = 0 }) => balanceChange)
      same(validationId, remainingBalance, sumOf(paid) - sumOf(fees.values()))
    }
  },
  getMetricsByValidationId: async (network, same) => {
    for (const { validationId } of await l1Validators(network)) {
      const path = `/v2/validation/${validationId}/metrics`
      const daily = await days(network, `${path}/validationFeesDaily`)
      const cumulative = await days(network, `${path}/validationCumulativeFeesDaily`)
      same(validationId, [...cumulative], runningSums(daily))
    }
  },
  getMetricsByNodeId: async (network, same) => {
    for (const [nodeId, own] of Map.groupBy(await l1Validators(network), (one) => one.nodeId))
      await compareSums(network, own, `/v2/validator/${nodeId}/metrics`, FEES_OF_NODES, same)
  },
  getMetricsBySubnetId: async (network, same) => {
    for (const [subnetId, own] of Map.groupBy(await l1Validators(network), (one) => one.subnetId))
      await compareSums(network, own, `/v2/subnet/${subnetId}/metrics`, FEES_OF_SUBNETS, same)
  },
  getTotalL1ValidatorMetrics: async (network, same) =>
    compareSums(network, await l1Validators(network), '/v2/validators/metrics', FEES, same),
}

/** Parameters that select L1 validators, and the members that they select by. */
const FILTERS = [
  ['l1ValidationId', 'validationId'],
  ['nodeId', 'nodeId'],
  ['subnetId', 'subnetId'],
] as const

/** Names of the metrics of daily fees, cumulative fees and paying validators. */
type Names = readonly [daily: string, cumulative: string, paying?: string]
const FEES_OF_NODES: Names = ['perNodeDailyFeesPaid', 'perNodeCumulativeFeesPaid']
const FEES_OF_SUBNETS: Names = [
  'perSubnetDailyFeesPaid',
  'perSubnetCumulativeFeesPaid',
  'perSubnetPayingValidators',
]
const FEES: Names = ['totalValidatorFeesDaily', 'totalCumulativeFeesDaily', 'totalPayingValidatorsDaily']

/** Compares the fees of a group of validators with the fees of each validator. */
async function compareSums(
  network: Network,
  validators: readonly Body[],
  path: string,
  [dailyName, cumulativeName, payingName]: Names,
  same: Same,
): Promise<void> {
  const each = await Promise.all(
    validators.map(({ validationId }) =>
      days(network, `/v2/validation/${validationId}/metrics/validationFeesDaily`),
    ),
  )
  const daily = await days(network, `${path}/${dailyName}`)
  same(path, unique(each.flatMap((own) => [...own.keys()])).toSorted(), [...daily.keys()].toSorted())
  for (const [day, fees] of daily) same(`${path} ${day}`, fees, sumOf(each.map((own) => own.get(day) ?? 0)))
  same(path, [...(await days(network, `${path}/${cumulativeName}`))], runningSums(daily))
  if (payingName === undefined) return
  for (const [day, paying] of await days(network, `${path}/${payingName}`))
    same(`${path} ${day}`, paying, each.filter((own) => (own.get(day) ?? 0) > 0).length)
}

/** Returns the sums up to each day, newest first like the days. */
function runningSums(daily: Days): readonly (readonly [number, number])[] {
  const entries = [...daily]
  return entries.map(([day], i) => [day, sumOf(entries.slice(i).map(([, value]) => value))])
}

function sumOf(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0)
}
