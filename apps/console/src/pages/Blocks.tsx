import type { PrimaryNetworkBlock } from '@firn/client'
import { ChainField } from '../components/ChainField.tsx'
import { Id } from '../components/Id.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { NodeIdLink } from '../components/Primary.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { count } from '../format/Amounts.ts'
import { aliasOf, CHAINS } from '../format/Chains.ts'
import { format } from '../format/Times.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

const PAGE_SIZE = 50

/** Blocks of a chain of the Primary Network, newest first. */
export function Page({ query: { chain: name } }: PageProps) {
  const { primary, network } = usePrimary()
  const chain = aliasOf(name)
  const list = usePages<PrimaryNetworkBlock>(
    (signal) => {
      const parameters = { network, blockchainId: CHAINS[chain], pageSize: PAGE_SIZE }
      return rowsOf(
        primary.listLatestPrimaryNetworkBlocks.pages(parameters, { signal }),
        ({ blocks }) => blocks,
      )
    },
    [network, chain],
  )
  return (
    <>
      <PageHead title={`Blocks of the ${chain}-chain`} />
      <Panel title="Newest blocks" isPlain>
        <Table
          name={`Blocks of the ${chain}-chain`}
          rows={list.rows}
          columns={columnsOf(chain)}
          rowKey={({ blockHash }) => blockHash}
          empty="There are no blocks."
          isLoading={list.isLoading}
          error={list.error}
          hasMore={list.hasMore}
          onMore={list.more}
          tools={<ChainField chain={chain} toHref={(one) => link('blocks', {}, { chain: one })} />}
        />
      </Panel>
    </>
  )
}

function columnsOf(chain: 'P' | 'X' | 'C'): readonly Column<PrimaryNetworkBlock>[] {
  return [
    {
      title: 'Height',
      cell: ({ blockNumber }) => (
        <a href={link('block', { chain, blockId: blockNumber })}>{count(blockNumber)}</a>
      ),
      text: ({ blockNumber }) => blockNumber,
    },
    { title: 'Id', cell: ({ blockHash }) => <Id id={blockHash} />, text: ({ blockHash }) => blockHash },
    {
      title: 'Time',
      cell: ({ blockTimestamp }) => <Time at={blockTimestamp} />,
      text: ({ blockTimestamp }) => format(blockTimestamp, 'utc'),
    },
    { title: 'Type', cell: ({ blockType }) => blockType, text: ({ blockType }) => blockType },
    {
      title: 'Transactions',
      cell: ({ txCount }) => count(txCount),
      text: ({ txCount }) => String(txCount),
      sort: ({ txCount }) => txCount,
      isNumber: true,
    },
    {
      title: 'Bytes',
      cell: ({ blockSizeBytes }) => count(blockSizeBytes),
      text: ({ blockSizeBytes }) => String(blockSizeBytes),
      sort: ({ blockSizeBytes }) => blockSizeBytes,
      isNumber: true,
    },
    {
      title: 'Proposer',
      cell: ({ proposerDetails: { proposerNodeId } = { proposerId: '' } }) =>
        proposerNodeId === undefined ? <span class="muted">–</span> : <NodeIdLink id={proposerNodeId} />,
      text: ({ proposerDetails }) => proposerDetails?.proposerNodeId ?? '',
    },
  ]
}
