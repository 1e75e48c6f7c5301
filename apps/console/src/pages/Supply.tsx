import type { PrimaryNetworkBlock } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { Chart } from '../components/Chart.tsx'
import { SelectField } from '../components/evm/SelectField.tsx'
import { Figures } from '../components/Facts.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { AVAX_DECIMALS, plain, toBigInt } from '../format/Amounts.ts'
import { CHAINS, PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { DAILY_RANGES, type DailyRange, dailyRangeOf, startOf, titles } from '../format/Metrics.ts'
import { feeRate } from '../format/ValidatorFees.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

const METRICS = [
  ['validatorWeight', 'Stake of validators', 'AVAX'],
  ['delegatorWeight', 'Delegated stake', 'AVAX'],
  ['validatorCount', 'Validators', ''],
  ['delegatorCount', 'Delegations', ''],
] as const

/** Number of blocks and transactions of the charts that have no values by day. */
const NEWEST = 100
/** Days in the longest range. */
const MOST_DAYS = 366

/** Supply, stake and fees of the Primary Network over time. */
export function Page({ query }: PageProps) {
  const { primary, network } = usePrimary()
  const range = dailyRangeOf(query)
  const blocks = useLoaded(
    async (signal) => {
      const parameters = { network, blockchainId: CHAINS.P, pageSize: NEWEST }
      return (await primary.listLatestPrimaryNetworkBlocks(parameters, { signal })).blocks
    },
    [network],
  )
  return (
    <>
      <PageHead title="Supply and fees">Supply, stake and fees of the Primary Network.</PageHead>
      <Loadable loaded={blocks} what="blocks">
        {(newest) => <Supply newest={newest} />}
      </Loadable>
      <Burned />
      <div class="form form-page">
        <SelectField<DailyRange>
          label="Range of the stake"
          value={range}
          options={titles<DailyRange>(DAILY_RANGES)}
          onChange={(one) => {
            location.hash = link('supply', {}, { range: one })
          }}
        />
      </div>
      <div class="columns">
        {METRICS.map(([metric, title, unit]) => (
          <Metric key={metric} metric={metric} title={title} unit={unit} range={range} />
        ))}
      </div>
    </>
  )
}

function Supply({ newest }: { readonly newest: readonly PrimaryNetworkBlock[] }) {
  const [first] = newest
  const rate = feeRate(newest)
  const supply = pointsOf(newest, ({ currentSupply }) => currentSupply)
  const charged = pointsOf(newest, ({ l1ValidatorsAccruedFees }) => l1ValidatorsAccruedFees)
  return (
    <>
      <Figures
        facts={[
          ['Supply', first?.currentSupply && <Amount value={first.currentSupply} />],
          ['Active L1 validators', first?.activeL1Validators],
          [
            'Charged to each L1 validator',
            first?.l1ValidatorsAccruedFees === undefined ? undefined : (
              <Amount value={first.l1ValidatorsAccruedFees} />
            ),
          ],
          [
            'Fee of an L1 validator per day',
            rate === undefined ? undefined : <Amount value={Math.round(rate * DAY)} />,
          ],
        ]}
      />
      <div class="columns">
        <Panel title="Supply in the newest blocks">
          <Chart name="Supply" lines={[{ name: 'Supply', points: supply }]} unit="AVAX" />
        </Panel>
        <Panel title="Charged to each L1 validator">
          <Chart name="Fees" lines={[{ name: 'Fees', points: charged }]} unit="AVAX" toText={String} />
        </Panel>
      </div>
    </>
  )
}

const DAY = 86_400

/** Returns the values of blocks that have one, in AVAX and in order of time. */
function pointsOf(
  newest: readonly PrimaryNetworkBlock[],
  pick: (block: PrimaryNetworkBlock) => number | string | undefined,
) {
  return newest
    .flatMap((block) => {
      const amount = pick(block)
      return amount === undefined ? [] : [{ at: block.blockTimestamp, value: avax(amount) }]
    })
    .toReversed()
}

function avax(amount: bigint | number | string): number {
  return Number(plain(amount, AVAX_DECIMALS))
}

/** Fees that the newest transactions burned. */
function Burned() {
  const { primary, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) => {
      const parameters = { network, blockchainId: CHAINS.P, pageSize: NEWEST }
      const { transactions } = await primary.listLatestPrimaryNetworkTransactions(parameters, { signal })
      return transactions
        .map(({ blockTimestamp, amountBurned }) => ({
          at: blockTimestamp,
          // Transactions of the P-chain burn AVAX only.
          value: avax(amountBurned.reduce((sum, { amount }) => sum + toBigInt(amount), 0n)),
        }))
        .toReversed()
    },
    [network],
  )
  return (
    <Panel title="Fees that the newest transactions of the P-chain burned">
      <Loadable loaded={loaded} what="fees">
        {(points) => (
          <Chart name="Burned fees" lines={[{ name: 'Burned', points }]} unit="AVAX" toText={String} />
        )}
      </Loadable>
    </Panel>
  )
}

function Metric({
  metric,
  title,
  unit,
  range,
}: {
  readonly metric: (typeof METRICS)[number][0]
  readonly title: string
  readonly unit: string
  readonly range: DailyRange
}) {
  const { metrics, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) => {
      const subnetId = PRIMARY_NETWORK_ID
      const parameters = { network, metric, subnetId, startTimestamp: startOf(range), pageSize: MOST_DAYS }
      return (await metrics.getStakingMetrics(parameters, { signal })).results
    },
    [network, metric, range],
  )
  const divisor = unit === 'AVAX' ? 10 ** AVAX_DECIMALS : 1
  return (
    <Panel title={title}>
      <Loadable loaded={loaded} what="values">
        {(results) => {
          const points = results
            .map(({ timestamp, value }) => ({ at: timestamp, value: value / divisor }))
            .toReversed()
          return <Chart name={title} unit={unit} lines={[{ name: title, points }]} />
        }}
      </Loadable>
    </Panel>
  )
}
