import type { ChainInfo, EvmBlock } from '@firn/client'
import type { ComponentChildren } from 'preact'
import { count, plain, toBigInt } from '../../format/Amounts.ts'
import { format } from '../../format/Times.ts'
import type { Paged } from '../../state/usePages.ts'
import { Amount } from '../Amount.tsx'
import { Id } from '../Id.tsx'
import { type Column, Table } from '../Table.tsx'
import { Time } from '../Time.tsx'
import { BlockLink } from './Links.tsx'

/** Blocks of an EVM chain. */
export function BlockTable({
  chain,
  list,
  tools,
}: {
  readonly chain: ChainInfo
  readonly list: Omit<Paged<EvmBlock>, 'more'> & { readonly more?: () => void }
  readonly tools?: ComponentChildren
}) {
  return (
    <Table
      name={`Blocks of chain ${chain.chainId}`}
      rows={list.rows}
      columns={columnsOf(chain)}
      rowKey={({ blockHash }) => blockHash}
      empty="There are no blocks."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      {...(list.more && { onMore: list.more })}
      tools={tools}
    />
  )
}

function columnsOf({ chainId, networkToken: { symbol, decimals } }: ChainInfo): readonly Column<EvmBlock>[] {
  return [
    {
      title: 'Height',
      cell: ({ blockNumber }) => <BlockLink chainId={chainId} height={blockNumber} />,
      text: ({ blockNumber }) => blockNumber,
    },
    { title: 'Hash', cell: ({ blockHash }) => <Id id={blockHash} />, text: ({ blockHash }) => blockHash },
    {
      title: 'Time',
      cell: ({ blockTimestamp }) => <Time at={blockTimestamp} />,
      text: ({ blockTimestamp }) => format(blockTimestamp, 'utc'),
    },
    {
      title: 'Transactions',
      cell: ({ txCount }) => count(txCount),
      text: ({ txCount }) => String(txCount),
      sort: ({ txCount }) => txCount,
      isNumber: true,
    },
    {
      title: 'Gas used',
      cell: ({ gasUsed, gasLimit }) => (
        <>
          {count(gasUsed)} <span class="muted">({share(gasUsed, gasLimit)})</span>
        </>
      ),
      text: ({ gasUsed }) => gasUsed,
      sort: ({ gasUsed }) => toBigInt(gasUsed),
      isNumber: true,
    },
    {
      title: 'Fees',
      cell: ({ feesSpent }) => <Amount value={feesSpent} decimals={decimals} symbol={symbol} />,
      text: ({ feesSpent }) => plain(feesSpent, decimals),
      sort: ({ feesSpent }) => toBigInt(feesSpent),
      isNumber: true,
    },
  ]
}

/** Returns a part of a whole in percent with one decimal, rounded down. */
export function share(part: string, whole: string): string {
  const total = toBigInt(whole)
  const tenths = total === 0n ? 0n : (toBigInt(part) * 1000n) / total
  return `${tenths / 10n}.${tenths % 10n} %`
}
