import type { Subnet } from '@firn/client'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { SubnetId } from '../components/Primary.tsx'
import { Status } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { format } from '../format/Times.ts'
import { usePrimary } from '../state/Session.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

const PAGE_SIZE = 100

/** Subnets and L1s, newest first. */
export function Page() {
  const { primary, network } = usePrimary()
  const list = usePages<Subnet>(
    (signal) =>
      rowsOf(
        primary.listSubnets.pages({ network, pageSize: PAGE_SIZE }, { signal }),
        ({ subnets }) => subnets,
      ),
    [network],
    { isWhole: true },
  )
  return (
    <>
      <PageHead title="Subnets and L1s">Subnets of the network. An L1 manages its own validators.</PageHead>
      <Panel title="Subnets and L1s" isPlain>
        <Table
          name="Subnets and L1s"
          rows={list.rows}
          columns={COLUMNS}
          rowKey={({ subnetId }) => subnetId}
          empty="There are no subnets."
          isLoading={list.isLoading}
          error={list.error}
          onMore={list.more}
        />
      </Panel>
    </>
  )
}

const namesOf = ({ blockchains }: Subnet) =>
  blockchains.map(({ blockchainName }) => blockchainName).join(', ')

const COLUMNS: readonly Column<Subnet>[] = [
  { title: 'Subnet', cell: ({ subnetId }) => <SubnetId id={subnetId} />, text: ({ subnetId }) => subnetId },
  {
    title: 'Kind',
    cell: ({ isL1 }) => <Status tone={isL1 ? 'good' : 'quiet'}>{isL1 ? 'L1' : 'subnet'}</Status>,
    text: ({ isL1 }) => (isL1 ? 'L1' : 'subnet'),
    sort: ({ isL1 }) => (isL1 ? 0 : 1),
  },
  {
    title: 'Blockchains',
    cell: (row) => namesOf(row) || <span class="muted">none</span>,
    text: namesOf,
    sort: namesOf,
  },
  {
    title: 'Created',
    cell: ({ createBlockTimestamp }) => <Time at={createBlockTimestamp} />,
    text: ({ createBlockTimestamp }) => format(createBlockTimestamp, 'utc'),
    sort: ({ createBlockTimestamp }) => createBlockTimestamp,
  },
  {
    title: 'Owners',
    cell: ({ ownerAddresses, threshold }) => `${threshold} of ${ownerAddresses.length}`,
    text: ({ ownerAddresses, threshold }) => `${threshold} of ${ownerAddresses.length}`,
  },
]
