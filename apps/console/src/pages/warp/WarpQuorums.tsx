import type { QuorumSummary } from '@firn/client/aggregator'
import { Id } from '../../components/Id.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status, type Tone } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { count } from '../../format/Amounts.ts'
import { link } from '../../Routes.ts'
import { useAggregator } from '../../state/Aggregator.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { share } from '../../warp/Outcomes.ts'

const REFRESH_MS = 10_000

/** Names and tones of the states of a quorum. */
export const QUORUM_STATES: Readonly<Record<QuorumSummary['status'], readonly [title: string, tone: Tone]>> =
  {
    ok: ['safe', 'good'],
    'at-risk': ['at risk', 'warn'],
    'no-quorum': ['no quorum', 'bad'],
  }

/** Whether the validators of the connected subnets can reach a quorum. */
export function Page() {
  const { url, network, signatureAggregator } = useAggregator()
  const quorums = useLoaded(
    (signal) => signatureAggregator.listQuorums({ network }, { signal }),
    [url],
    REFRESH_MS,
  )
  return (
    <>
      <PageHead title="Quorum by subnet">
        The weight of the validators that this aggregator can reach now. A subnet appears after the first
        request for its signatures.
      </PageHead>
      <Panel title="Subnets" isPlain>
        <Table
          name="Quorum by subnet"
          rows={quorums.value?.subnets ?? []}
          columns={COLUMNS}
          rowKey={({ subnetId }) => subnetId}
          empty="This aggregator is connected to no subnet."
          isLoading={quorums.value === undefined && quorums.isLoading}
          error={quorums.error}
          onMore={quorums.reload}
        />
      </Panel>
    </>
  )
}

/** Returns a column with a part of the weight. */
function weightColumn(title: string, weight: (row: QuorumSummary) => string): Column<QuorumSummary> {
  const shareOf = (row: QuorumSummary) => share(BigInt(weight(row)), BigInt(row.totalWeight))
  return {
    title,
    cell: shareOf,
    text: weight,
    sort: (row) => Number(BigInt(weight(row))) / Number(row.totalWeight),
    isNumber: true,
  }
}

const COLUMNS: readonly Column<QuorumSummary>[] = [
  {
    title: 'Subnet',
    cell: ({ subnetId }) => <Id id={subnetId} href={link('warpQuorum', { subnetId })} />,
    text: ({ subnetId }) => subnetId,
  },
  {
    title: 'Quorum of 67 %',
    cell: ({ status }) => <Status tone={QUORUM_STATES[status][1]}>{QUORUM_STATES[status][0]}</Status>,
    text: ({ status }) => status,
    sort: ({ marginPercentage }) => marginPercentage,
  },
  weightColumn('Answering', ({ answeringWeight }) => answeringWeight),
  weightColumn('Failing', ({ failingWeight }) => failingWeight),
  weightColumn('Not connected', ({ disconnectedWeight }) => disconnectedWeight),
  weightColumn('Cannot sign', ({ cannotSignWeight }) => cannotSignWeight),
  {
    title: 'Margin',
    cell: ({ marginPercentage }) => `${marginPercentage.toFixed(1)} %`,
    text: ({ marginPercentage }) => String(marginPercentage),
    sort: ({ marginPercentage }) => marginPercentage,
    isNumber: true,
  },
  {
    title: 'P-chain height',
    cell: ({ pChainHeight }) => count(pChainHeight),
    text: ({ pChainHeight }) => pChainHeight,
    isNumber: true,
  },
]
