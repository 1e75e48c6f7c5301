import type { L1ValidatorDetailsFull, Subnet, ValidatorDetails } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { Facts } from '../components/Facts.tsx'
import { Id } from '../components/Id.tsx'
import { LabelField } from '../components/LabelField.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Addresses, BlockchainId, NodeIdLink, TxId } from '../components/Primary.tsx'
import { Status } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { AVAX_DECIMALS, count, plain } from '../format/Amounts.ts'
import { PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { duration, format } from '../format/Times.ts'
import { timeLeft } from '../format/ValidatorFees.ts'
import type { PageProps } from '../PageModule.ts'
import { usePrimary } from '../state/Session.ts'
import { useFeeRate } from '../state/useFeeRate.ts'
import { useLoaded } from '../state/useLoaded.ts'
import { rowsOf, usePages } from '../state/usePages.ts'
import { COLUMNS } from './Validators.tsx'

const PAGE_SIZE = 100

/** A subnet or an L1 with its blockchains and validators. */
export function Page({ parameters: { subnetId = '' }, query: { validation } }: PageProps) {
  const { primary, network } = usePrimary()
  const subnet = useLoaded(
    (signal) => primary.getSubnetById({ network, subnetId }, { signal }),
    [network, subnetId],
  )
  const kind =
    subnetId === PRIMARY_NETWORK_ID ? 'Primary Network' : subnet.value?.isL1 === true ? 'L1' : 'Subnet'
  return (
    <>
      <PageHead kind={kind} title={<Id id={subnetId} isWhole />} actions={<LabelField id={subnetId} />} />
      <Loadable loaded={subnet} what="the subnet">
        {(value) => (
          <>
            <About subnet={value} />
            {value.isL1 && <L1Validators subnetId={subnetId} validation={validation} />}
            <SubnetValidators subnetId={subnetId} />
          </>
        )}
      </Loadable>
    </>
  )
}

function About({ subnet }: { readonly subnet: Subnet }) {
  const { l1ValidatorManagerDetails: manager, l1ConversionTransactionHash: conversion } = subnet
  return (
    <Panel title="About">
      <Facts
        facts={[
          ['Created', <Time at={subnet.createBlockTimestamp} withDistance />],
          ['P-chain block', count(subnet.createBlockIndex)],
          ['Conversion to an L1', conversion && <TxId id={conversion} />],
          ['Validator manager', manager && <Id id={manager.contractAddress} isWhole />],
          ['Chain of the manager', manager && <BlockchainId id={manager.blockchainId} />],
          ['Owners', <Addresses addresses={subnet.ownerAddresses} />],
          ['Signatures of owners', `${subnet.threshold} of ${subnet.ownerAddresses.length}`],
          [
            'Blockchains',
            subnet.blockchains.length > 0 && (
              <ul>
                {subnet.blockchains.map(({ blockchainId, blockchainName, evmChainId }) => (
                  <li key={blockchainId}>
                    {blockchainName} <BlockchainId id={blockchainId} />{' '}
                    {evmChainId !== 0 && <span class="muted">EVM chain {evmChainId}</span>}
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Panel>
  )
}

/** Returns the columns of lists of L1 validators. `rate` is what one pays per second, in nAVAX. */
export const l1Columns = (rate: number | undefined): readonly Column<L1ValidatorDetailsFull>[] => [
  {
    title: 'Validation',
    cell: ({ validationId }) => <Id id={validationId} />,
    text: ({ validationId }) => validationId,
  },
  {
    title: 'State',
    cell: ({ remainingBalance }) => (
      <Status tone={remainingBalance > 0 ? 'good' : 'bad'}>
        {remainingBalance > 0 ? 'active' : 'no balance'}
      </Status>
    ),
    text: ({ remainingBalance }) => (remainingBalance > 0 ? 'active' : 'no balance'),
  },
  {
    title: 'Weight',
    cell: ({ weight }) => count(weight),
    text: ({ weight }) => String(weight),
    sort: ({ weight }) => weight,
    isNumber: true,
  },
  {
    title: 'Balance',
    cell: ({ remainingBalance }) => <Amount value={remainingBalance} />,
    text: ({ remainingBalance }) => plain(remainingBalance, AVAX_DECIMALS),
    sort: ({ remainingBalance }) => remainingBalance,
    isNumber: true,
  },
  {
    title: 'Time left',
    cell: ({ remainingBalance }) => {
      const seconds = timeLeft(remainingBalance, rate)
      return seconds === undefined ? <span class="muted">–</span> : duration(seconds)
    },
    text: ({ remainingBalance }) => {
      const seconds = timeLeft(remainingBalance, rate)
      return seconds === undefined ? '' : `${seconds} s`
    },
    sort: ({ remainingBalance }) => remainingBalance,
    isNumber: true,
  },
  {
    title: 'Since',
    cell: ({ creationTimestamp }) => <Time at={creationTimestamp} />,
    text: ({ creationTimestamp }) => format(creationTimestamp, 'utc'),
    sort: ({ creationTimestamp }) => creationTimestamp,
  },
]

const NODE: Column<L1ValidatorDetailsFull> = {
  title: 'Node',
  cell: ({ nodeId }) => <NodeIdLink id={nodeId} />,
  text: ({ nodeId }) => nodeId,
  sort: ({ nodeId }) => nodeId,
}

function L1Validators({
  subnetId,
  validation,
}: {
  readonly subnetId: string
  readonly validation: string | undefined
}) {
  const { primary, network } = usePrimary()
  const list = usePages<L1ValidatorDetailsFull>(
    (signal) => {
      const parameters = { network, subnetId, includeInactiveL1Validators: true, pageSize: PAGE_SIZE }
      return rowsOf(primary.listL1Validators.pages(parameters, { signal }), ({ validators }) => validators)
    },
    [network, subnetId],
    { isWhole: true },
  )
  const rate = useFeeRate()
  const rows =
    validation === undefined ? list.rows : list.rows.filter((row) => row.validationId === validation)
  return (
    <Panel title="L1 validators">
      <Table
        name={`L1 validators of ${subnetId}`}
        rows={rows}
        columns={[NODE, ...l1Columns(rate)]}
        rowKey={({ validationId }) => validationId}
        empty="This L1 has no validators."
        isLoading={list.isLoading}
        error={list.error}
        onMore={list.more}
      />
    </Panel>
  )
}

function SubnetValidators({ subnetId }: { readonly subnetId: string }) {
  const { primary, network } = usePrimary()
  const list = usePages<ValidatorDetails>(
    (signal) => {
      const parameters = { network, subnetId, validationStatus: 'active' as const, pageSize: PAGE_SIZE }
      return rowsOf(primary.listValidators.pages(parameters, { signal }), ({ validators }) => validators)
    },
    [network, subnetId],
    { isWhole: true },
  )
  return (
    <Panel title="Validators by the P-chain">
      <Table
        name={`Validators of ${subnetId}`}
        rows={list.rows}
        columns={COLUMNS}
        rowKey={({ txHash, startTimestamp }) => `${txHash} ${startTimestamp}`}
        empty="The P-chain has no active validators of this subnet."
        isLoading={list.isLoading}
        error={list.error}
        onMore={list.more}
      />
    </Panel>
  )
}
