import type {
  DelegatorDetails,
  HistoricalReward,
  L1ValidatorDetailsFull,
  ValidatorDetails,
} from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { Chart } from '../components/Chart.tsx'
import { Facts } from '../components/Facts.tsx'
import { Id } from '../components/Id.tsx'
import { LabelField } from '../components/LabelField.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Addresses, REWARD_KINDS, SubnetId, TxId } from '../components/Primary.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { AVAX_DECIMALS, plain, toBigInt } from '../format/Amounts.ts'
import { PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { format } from '../format/Times.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { useFeeRate } from '../state/useFeeRate.ts'
import { rowsOf, usePages } from '../state/usePages.ts'
import { l1Columns } from './Subnet.tsx'
import { COLUMNS, uptime } from './Validators.tsx'

const PAGE_SIZE = 100

/** A node: its validations, delegators and rewards. */
export function Page({ parameters: { nodeId = '' } }: PageProps) {
  const { primary, network } = usePrimary()
  const validations = usePages<ValidatorDetails>(
    (signal) =>
      rowsOf(
        primary.getSingleValidatorDetails.pages({ network, nodeId, pageSize: PAGE_SIZE }, { signal }),
        ({ validators }) => validators,
      ),
    [network, nodeId],
    { isWhole: true },
  )
  const l1s = usePages<L1ValidatorDetailsFull>(
    (signal) => {
      const parameters = { network, nodeId, includeInactiveL1Validators: true, pageSize: PAGE_SIZE }
      return rowsOf(primary.listL1Validators.pages(parameters, { signal }), ({ validators }) => validators)
    },
    [network, nodeId],
    { isWhole: true },
  )
  const current = validations.rows.find(
    ({ validationStatus, subnetId }) => validationStatus === 'active' && subnetId === PRIMARY_NETWORK_ID,
  )
  const rate = useFeeRate()
  return (
    <>
      <PageHead kind="Validator" title={<Id id={nodeId} isWhole />} actions={<LabelField id={nodeId} />} />
      {current !== undefined && <Current validator={current} />}
      <Panel title="Validations">
        <Table
          name={`Validations of ${nodeId}`}
          rows={validations.rows}
          columns={VALIDATIONS}
          rowKey={({ txHash, startTimestamp }) => `${txHash} ${startTimestamp}`}
          empty="This node has never validated the Primary Network or a subnet."
          isLoading={validations.isLoading}
          error={validations.error}
          onMore={validations.more}
        />
      </Panel>
      {(l1s.rows.length > 0 || l1s.error !== undefined) && (
        <Panel title="Validations of L1s">
          <Table
            name={`L1 validations of ${nodeId}`}
            rows={l1s.rows}
            columns={[L1_SUBNET, ...l1Columns(rate)]}
            rowKey={({ validationId }) => validationId}
            empty="This node validates no L1."
            error={l1s.error}
            onMore={l1s.more}
          />
        </Panel>
      )}
      <Delegators nodeId={nodeId} />
      <Rewards nodeId={nodeId} />
    </>
  )
}

const VALIDATIONS: readonly Column<ValidatorDetails>[] = [
  { title: 'Subnet', cell: ({ subnetId }) => <SubnetId id={subnetId} />, text: ({ subnetId }) => subnetId },
  { title: 'Transaction', cell: ({ txHash }) => <TxId id={txHash} />, text: ({ txHash }) => txHash },
  ...COLUMNS.slice(1),
]

const L1_SUBNET: Column<L1ValidatorDetailsFull> = {
  title: 'L1',
  cell: ({ subnetId }) => <SubnetId id={subnetId} />,
  text: ({ subnetId }) => subnetId,
}

function Current({ validator }: { readonly validator: ValidatorDetails }) {
  if (validator.validationStatus !== 'active') return null
  const {
    amountStaked,
    amountDelegated = '0',
    delegationCapacity,
    potentialRewards,
    blsCredentials,
  } = validator
  return (
    <Panel title="Current validation">
      <Facts
        facts={[
          ['Stake', <Amount value={amountStaked} />],
          ['Delegated', <Amount value={amountDelegated} />],
          ['Remaining capacity', delegationCapacity && <Amount value={delegationCapacity} />],
          ['Share of the total stake', `${validator.stakePercentage} %`],
          ['Commission', validator.delegationFee && `${validator.delegationFee} %`],
          ['Uptime', uptime(validator) ?? 'unknown; this service asks no node for it'],
          ['Version', validator.avalancheGoVersion],
          ['Start', <Time at={validator.startTimestamp} withDistance />],
          ['End', <Time at={validator.endTimestamp} withDistance />],
          ['Reward for the validation', <Amount value={potentialRewards.validationRewardAmount} />],
          ['Reward from delegations', <Amount value={potentialRewards.delegationRewardAmount} />],
          ['Reward addresses', <Addresses addresses={potentialRewards.rewardAddresses ?? []} />],
          ['Transaction', <TxId id={validator.txHash} />],
          ['BLS public key', blsCredentials && <Id id={blsCredentials.publicKey} isWhole />],
        ]}
      />
    </Panel>
  )
}

const DELEGATORS: readonly Column<DelegatorDetails>[] = [
  { title: 'Transaction', cell: ({ txHash }) => <TxId id={txHash} />, text: ({ txHash }) => txHash },
  {
    title: 'Stake',
    cell: ({ amountDelegated }) => <Amount value={amountDelegated} />,
    text: ({ amountDelegated }) => plain(amountDelegated, AVAX_DECIMALS),
    sort: ({ amountDelegated }) => toBigInt(amountDelegated),
    isNumber: true,
  },
  {
    title: 'Status',
    cell: ({ delegationStatus }) => delegationStatus,
    text: ({ delegationStatus }) => delegationStatus,
    sort: ({ delegationStatus }) => delegationStatus,
  },
  {
    title: 'Start',
    cell: ({ startTimestamp }) => <Time at={startTimestamp} />,
    text: ({ startTimestamp }) => format(startTimestamp, 'utc'),
    sort: ({ startTimestamp }) => startTimestamp,
  },
  {
    title: 'End',
    cell: ({ endTimestamp }) => <Time at={endTimestamp} />,
    text: ({ endTimestamp }) => format(endTimestamp, 'utc'),
    sort: ({ endTimestamp }) => endTimestamp,
  },
  {
    title: 'Reward address',
    cell: ({ rewardAddresses: [first] }) =>
      first && <Id id={first} href={link('address', { address: first })} />,
    text: ({ rewardAddresses }) => rewardAddresses.join(' '),
  },
]

function Delegators({ nodeId }: { readonly nodeId: string }) {
  const { primary, network } = usePrimary()
  const list = usePages<DelegatorDetails>(
    (signal) => {
      const parameters = { network, nodeIds: [nodeId], pageSize: PAGE_SIZE }
      return rowsOf(primary.listDelegators.pages(parameters, { signal }), ({ delegators }) => delegators)
    },
    [network, nodeId],
  )
  return (
    <Panel title="Delegators">
      <Table
        name={`Delegators of ${nodeId}`}
        rows={list.rows}
        columns={DELEGATORS}
        rowKey={({ txHash }) => txHash}
        empty="Nobody has delegated to this node."
        isLoading={list.isLoading}
        error={list.error}
        hasMore={list.hasMore}
        onMore={list.more}
      />
    </Panel>
  )
}

const REWARDS: readonly Column<HistoricalReward>[] = [
  {
    title: 'Paid for',
    cell: ({ rewardType }) => REWARD_KINDS[rewardType],
    text: ({ rewardType }) => rewardType,
    sort: ({ rewardType }) => rewardType,
  },
  {
    title: 'Reward',
    cell: ({ reward }) => <Amount value={reward.amount} />,
    text: ({ reward }) => plain(reward.amount, AVAX_DECIMALS),
    sort: ({ reward }) => toBigInt(reward.amount),
    isNumber: true,
  },
  {
    title: 'Paid at',
    cell: ({ endTimestamp }) => <Time at={endTimestamp} />,
    text: ({ endTimestamp }) => format(endTimestamp, 'utc'),
    sort: ({ endTimestamp }) => endTimestamp,
  },
  {
    title: 'Transaction',
    cell: ({ rewardTxHash }) => <TxId id={rewardTxHash} />,
    text: ({ rewardTxHash }) => rewardTxHash,
  },
]

function Rewards({ nodeId }: { readonly nodeId: string }) {
  const { primary, network } = usePrimary()
  const list = usePages<HistoricalReward>(
    (signal) => {
      const parameters = { network, nodeIds: [nodeId], pageSize: PAGE_SIZE }
      const pages = primary.listHistoricalPrimaryNetworkRewards.pages(parameters, { signal })
      return rowsOf(pages, ({ historicalRewards }) => historicalRewards)
    },
    [network, nodeId],
  )
  const points = list.rows
    .map(({ endTimestamp, reward }) => ({
      at: endTimestamp,
      value: Number(plain(reward.amount, AVAX_DECIMALS)),
    }))
    .sort((one, other) => one.at - other.at)
  return (
    <Panel title="Rewards">
      {points.length > 1 && (
        <Chart
          name="Rewards over time"
          lines={[{ name: 'Rewards', points }]}
          unit="AVAX"
          toText={(value) => String(value)}
        />
      )}
      <Table
        name={`Rewards of ${nodeId}`}
        rows={list.rows}
        columns={REWARDS}
        rowKey={({ utxoId }) => utxoId}
        empty="No reward has been paid for this node."
        isLoading={list.isLoading}
        error={list.error}
        hasMore={list.hasMore}
        onMore={list.more}
      />
    </Panel>
  )
}
