import type { Quorum } from '@firn/client/aggregator'
import { Figures } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Status } from '../../components/Status.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Missing } from '../../components/warp/Missing.tsx'
import { Signers } from '../../components/warp/Signers.tsx'
import { WeightBar } from '../../components/warp/WeightBar.tsx'
import { count } from '../../format/Amounts.ts'
import type { PageProps } from '../../PageModule.ts'
import { useAggregator } from '../../state/Aggregator.ts'
import { useSession } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import * as Outcomes from '../../warp/Outcomes.ts'
import { QUORUM_STATES } from './WarpQuorums.tsx'

const REFRESH_MS = 10_000

/** Whether the validators of a subnet can reach a quorum, now and in the near future. */
export function Page({ parameters: { subnetId = '' } }: PageProps) {
  const { url, network, signatureAggregator } = useAggregator()
  const quorum = useLoaded(
    (signal) => signatureAggregator.getQuorum({ network, subnetId }, { signal }),
    [url, subnetId],
    REFRESH_MS,
  )
  return (
    <>
      <PageHead kind="Quorum of a subnet" title={<Id id={subnetId} isWhole />} />
      <Loadable loaded={quorum} what="the quorum">
        {(value) => <Content quorum={value} />}
      </Loadable>
    </>
  )
}

function Content({ quorum }: { readonly quorum: Quorum }) {
  const { network } = useSession()
  const signers = quorum.validators.map(Outcomes.fromState)
  const groups = Outcomes.missing(signers)
  const total = BigInt(quorum.totalWeight)
  const answering = BigInt(quorum.answeringWeight)
  const missing = total - answering
  const weights = { signed: answering, missing, needed: BigInt(quorum.neededWeight), total }
  const [title, tone] = QUORUM_STATES[quorum.status]
  return (
    <>
      <Figures
        facts={[
          ['Quorum of 67 %', <Status tone={tone}>{title}</Status>],
          ['Margin', `${quorum.marginPercentage.toFixed(1)} %`],
          ['Cannot sign', Outcomes.share(BigInt(quorum.cannotSignWeight), total)],
          ['P-chain height', count(quorum.pChainHeight)],
        ]}
      />
      <Panel title="Weight">
        <div class="progress">
          <WeightBar weights={weights} what="answering" />
        </div>
        {quorum.risk !== 'none' && (
          <p class={quorum.status === 'ok' ? 'note' : 'note note-warn'}>{quorum.risk}</p>
        )}
        {quorum.unknown.length > 0 && <p class="note">Not known: {quorum.unknown.join('; ')}.</p>}
        {groups.length > 0 && <Missing groups={groups} total={total} />}
      </Panel>
      <Panel title="Validators">
        <Signers name="Validators of the subnet" signers={signers} hasPages={network !== undefined} />
      </Panel>
      <Panel title="Next changes">
        <Table
          name="Next changes"
          rows={quorum.nextChanges}
          columns={CHANGES}
          rowKey={({ nodeId, at }) => `${nodeId} ${at}`}
          empty="No change of the validators is known."
        />
      </Panel>
    </>
  )
}

type Change = Quorum['nextChanges'][number]

const CHANGES: readonly Column<Change>[] = [
  { title: 'Node', cell: ({ nodeId }) => <Id id={nodeId} />, text: ({ nodeId }) => nodeId },
  {
    title: 'Change',
    cell: ({ kind }) => (kind === 'stake-ends' ? 'The stake ends' : 'The balance runs out'),
    text: ({ kind }) => kind,
  },
  {
    title: 'Time',
    cell: ({ at }) => <Time at={Date.parse(at) / 1_000} withDistance />,
    text: ({ at }) => at,
  },
  {
    title: 'Weight',
    cell: ({ weight }) => count(weight),
    text: ({ weight }) => weight,
    sort: ({ weight }) => BigInt(weight),
    isNumber: true,
  },
  {
    title: 'Margin after it',
    cell: ({ marginPercentageAfter }) => `${marginPercentageAfter.toFixed(1)} %`,
    text: ({ marginPercentageAfter }) => String(marginPercentageAfter),
    isNumber: true,
  },
]
