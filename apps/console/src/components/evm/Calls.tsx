import type { ChainInfo, InternalTransactionDetails } from '@firn/client'
import { count, plain, toBigInt } from '../../format/Amounts.ts'
import { Amount } from '../Amount.tsx'
import { Status } from '../Status.tsx'
import { type Column, Table } from '../Table.tsx'
import { AddressLink } from './Links.tsx'

/** Internal calls of a transaction, in their order. */
export function Calls({
  chain,
  calls,
}: {
  readonly chain: ChainInfo
  readonly calls: readonly InternalTransactionDetails[]
}) {
  const rows = calls.map((call, index) => ({ ...call, index }))
  return (
    <Table
      name="Internal calls"
      rows={rows}
      columns={[
        {
          title: '#',
          cell: ({ index }) => index + 1,
          text: ({ index }) => String(index + 1),
          isNumber: true,
        },
        ...callColumns(chain),
      ]}
      rowKey={({ index }) => String(index)}
      empty="There are no internal calls."
    />
  )
}

/** Columns that describe an internal call. */
export const callColumns = ({
  chainId,
  networkToken: { decimals, symbol },
}: ChainInfo): readonly Column<InternalTransactionDetails>[] => [
  {
    title: 'Kind',
    cell: ({ internalTxType, isReverted }) => (
      <>
        {internalTxType} {isReverted && <Status tone="bad">reverted</Status>}
      </>
    ),
    text: ({ internalTxType, isReverted }) => `${internalTxType}${isReverted ? ' reverted' : ''}`,
  },
  {
    title: 'From',
    cell: ({ from }) => <AddressLink chainId={chainId} of={from} />,
    text: ({ from }) => from.address,
  },
  {
    title: 'To',
    cell: ({ to }) => <AddressLink chainId={chainId} of={to} />,
    text: ({ to }) => to.address,
  },
  {
    title: 'Value',
    cell: ({ value }) => <Amount value={value} decimals={decimals} symbol={symbol} />,
    text: ({ value }) => plain(value, decimals),
    sort: ({ value }) => toBigInt(value),
    isNumber: true,
  },
  {
    title: 'Gas used',
    cell: ({ gasUsed }) => count(gasUsed),
    text: ({ gasUsed }) => gasUsed,
    sort: ({ gasUsed }) => toBigInt(gasUsed),
    isNumber: true,
  },
]
