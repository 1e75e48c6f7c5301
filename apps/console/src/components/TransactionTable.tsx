import type { PrimaryNetworkTransaction } from '@firn/client'
import { plain } from '../format/Amounts.ts'
import { format } from '../format/Times.ts'
import { link } from '../Routes.ts'
import type { Paged } from '../state/usePages.ts'
import { Amount } from './Amount.tsx'
import { TxId, typeName } from './Primary.tsx'
import { type Column, Table } from './Table.tsx'
import { Time } from './Time.tsx'

type Row = PrimaryNetworkTransaction

/** A list of transactions of one chain of the Primary Network. */
export function TransactionTable({
  name,
  chain,
  list,
  tools,
}: {
  readonly name: string
  readonly chain: 'P' | 'X' | 'C'
  readonly list: Paged<Row>
  readonly tools?: preact.ComponentChildren
}) {
  return (
    <Table
      name={name}
      rows={list.rows}
      columns={columnsOf(chain)}
      rowKey={({ txHash }) => txHash}
      empty="There are no transactions."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      onMore={list.more}
      tools={tools}
    />
  )
}

function columnsOf(chain: 'P' | 'X' | 'C'): readonly Column<Row>[] {
  return [
    { title: 'Transaction', cell: ({ txHash }) => <TxId id={txHash} />, text: ({ txHash }) => txHash },
    {
      title: 'Type',
      cell: ({ txType }) => typeName(txType),
      text: ({ txType }) => txType,
      sort: ({ txType }) => txType,
    },
    { title: 'Block', cell: (row) => <BlockOf row={row} chain={chain} />, text: heightOf, isNumber: true },
    {
      title: 'Time',
      cell: (row) => <Time at={timeOf(row)} />,
      text: (row) => format(timeOf(row), 'utc'),
      sort: timeOf,
    },
    {
      title: 'Amount',
      cell: (row) => <FirstAmount assets={row.value} />,
      text: ({ value: [first] }) => (first === undefined ? '' : plain(first.amount, first.denomination)),
      isNumber: true,
    },
    {
      title: 'Burned',
      cell: (row) => <FirstAmount assets={row.amountBurned} />,
      text: ({ amountBurned: [first] }) =>
        first === undefined ? '' : plain(first.amount, first.denomination),
      isNumber: true,
    },
  ]
}

function BlockOf({ row, chain }: { readonly row: Row; readonly chain: 'P' | 'X' | 'C' }) {
  const height = heightOf(row)
  return <a href={link('block', { chain, blockId: height })}>{height}</a>
}

function heightOf(row: Row): string {
  return row.blockNumber
}

function timeOf(row: Row): number {
  return row.blockTimestamp
}

function FirstAmount({ assets }: { readonly assets: Row['value'] }) {
  const [first, ...others] = assets
  if (first === undefined) return <span class="muted">–</span>
  return (
    <>
      <Amount value={first.amount} decimals={first.denomination} symbol={first.symbol} />
      {others.length > 0 && <span class="muted"> +{others.length}</span>}
    </>
  )
}
