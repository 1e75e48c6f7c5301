import type { PrimaryNetworkBlock } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { Chart } from '../components/Chart.tsx'
import { Figures } from '../components/Facts.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { AVAX_DECIMALS, plain } from '../format/Amounts.ts'
import { CHAINS } from '../format/Chains.ts'
import { usePrimary } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

const METRICS = [
  ['validatorWeight', 'Stake of validators', 'AVAX'],
  ['delegatorWeight', 'Delegated stake', 'AVAX'],
  ['validatorCount', 'Validators', ''],
  ['delegatorCount', 'Delegations', ''],
] as const

/** Supply, stake and fees of the Primary Network over time. */
export function Page() {
  const { primary, network } = usePrimary()
  const blocks = useLoaded(
    async (signal) => {
      const parameters = { network, blockchainId: CHAINS.P, pageSize: 100 }
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
      <div class="columns">
        {METRICS.map(([metric, title, unit]) => (
          <Metric key={metric} metric={metric} title={title} unit={unit} />
        ))}
      </div>
    </>
  )
}

function Supply({ newest }: { readonly newest: readonly PrimaryNetworkBlock[] }) {
  const known = newest.filter(({ currentSupply }) => currentSupply !== undefined)
  const points = known.map(({ blockTimestamp, currentSupply = '0' }) => ({
    at: blockTimestamp,
    value: Number(plain(currentSupply, AVAX_DECIMALS)),
  }))
  const [first] = newest
  return (
    <>
      <Figures
        facts={[
          ['Supply', first?.currentSupply && <Amount value={first.currentSupply} />],
          ['Active L1 validators', first?.activeL1Validators],
          [
            'Fees that L1 validators accrued',
            first?.l1ValidatorsAccruedFees === undefined ? undefined : (
              <Amount value={first.l1ValidatorsAccruedFees} />
            ),
          ],
        ]}
      />
      <Panel title="Supply in the newest blocks">
        <Chart name="Supply" points={points.toReversed()} unit="AVAX" />
      </Panel>
    </>
  )
}

function Metric({
  metric,
  title,
  unit,
}: {
  readonly metric: (typeof METRICS)[number][0]
  readonly title: string
  readonly unit: string
}) {
  const { metrics, network } = usePrimary()
  const loaded = useLoaded(
    async (signal) =>
      (await metrics.getStakingMetrics({ network, metric, pageSize: 100 }, { signal })).results,
    [network, metric],
  )
  const divisor = unit === 'AVAX' ? 10 ** AVAX_DECIMALS : 1
  return (
    <Panel title={title}>
      <Loadable loaded={loaded} what="values">
        {(results) => (
          <Chart
            name={title}
            unit={unit}
            points={results
              .map(({ timestamp, value }) => ({ at: timestamp, value: value / divisor }))
              .toReversed()}
          />
        )}
      </Loadable>
    </Panel>
  )
}
