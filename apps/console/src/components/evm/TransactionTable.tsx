import type { ChainInfo, NativeTransaction } from '@firn/client'
import type { ComponentChildren } from 'preact'
import { plain, toBigInt } from '../../format/Amounts.ts'
import { format } from '../../format/Times.ts'
import { feeOf, methodOf } from '../../format/Transactions.ts'
import type { Paged } from '../../state/usePages.ts'
import { Amount } from '../Amount.tsx'
import { Status } from '../Status.tsx'
import { type Column, Table } from '../Table.tsx'
import { Time } from '../Time.tsx'
import { AddressLink, BlockLink, PartyLink, TxLink } from './Links.tsx'

/** Transactions of an EVM chain. */
export function TransactionTable({
  name,
  chain,
  list,
  hasPlaces = true,
  tools,
}: {
  readonly name: string
  readonly chain: ChainInfo
  readonly list: Omit<Paged<NativeTransaction>, 'more'> & { readonly more?: () => void }
  /** Whether to show the block and its time. */
  readonly hasPlaces?: boolean
  readonly tools?: ComponentChildren
}) {
  return (
    <Table
      name={name}
      rows={list.rows}
      columns={columnsOf(chain, hasPlaces)}
      rowKey={({ txHash }) => txHash}
      empty="There are no transactions."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      {...(list.more && { onMore: list.more })}
      tools={tools}
    />
  )
}

/** Whether a transaction succeeded. */
export function TransactionStatus({ status }: { readonly status: string }) {
  return status === '1' ? <Status tone="good">success</Status> : <Status tone="bad">failed</Status>
}

function columnsOf(
  { chainId, networkToken }: ChainInfo,
  hasPlaces: boolean,
): readonly Column<NativeTransaction>[] {
  const { symbol, decimals } = networkToken
  return [
    {
      title: 'Transaction',
      cell: ({ txHash }) => <TxLink chainId={chainId} hash={txHash} />,
      text: ({ txHash }) => txHash,
      below: {
        title: 'Method',
        cell: (row) => <bdi class="code">{methodOf(row)}</bdi>,
        text: methodOf,
        sort: methodOf,
      },
    },
    {
      title: 'Status',
      cell: ({ txStatus }) => <TransactionStatus status={txStatus} />,
      text: ({ txStatus }) => (txStatus === '1' ? 'success' : 'failed'),
    },
    ...(hasPlaces ? [placeOf(chainId)] : []),
    {
      title: 'From',
      cell: ({ from }) => <AddressLink chainId={chainId} of={from} />,
      text: ({ from }) => from.address,
      below: {
        title: 'To',
        cell: ({ to }) => <PartyLink chainId={chainId} of={to} zero="New contract" />,
        text: ({ to }) => to.address,
      },
    },
    {
      title: 'Value',
      cell: ({ value }) => <Amount value={value} decimals={decimals} symbol={symbol} />,
      text: ({ value }) => plain(value, decimals),
      sort: ({ value }) => toBigInt(value),
      isNumber: true,
      below: {
        title: 'Fee',
        cell: (row) => <Amount value={feeOf(row)} decimals={decimals} symbol={symbol} />,
        text: (row) => plain(feeOf(row), decimals),
        sort: feeOf,
        isNumber: true,
      },
    },
  ]
}

const placeOf = (chainId: string): Column<NativeTransaction> => ({
  title: 'Block',
  cell: ({ blockNumber }) => <BlockLink chainId={chainId} height={blockNumber} />,
  text: ({ blockNumber }) => blockNumber,
  below: {
    title: 'Time',
    cell: ({ blockTimestamp }) => <Time at={blockTimestamp} />,
    text: ({ blockTimestamp }) => format(blockTimestamp, 'utc'),
  },
})
