import type { ChainInfo } from '@firn/client'
import { useState } from 'preact/hooks'
import { BlockTable } from '../../components/evm/BlockTable.tsx'
import { BlockLink } from '../../components/evm/Links.tsx'
import { LiveButton } from '../../components/evm/LiveButton.tsx'
import { MetricPanel } from '../../components/evm/MetricPanel.tsx'
import { ChainTabs, chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { TransactionTable } from '../../components/evm/TransactionTable.tsx'
import { Figures } from '../../components/Facts.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Time } from '../../components/Time.tsx'
import { count } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useData, useSession } from '../../state/Session.ts'
import { useChanges } from '../../state/useChanges.ts'
import { useLoaded } from '../../state/useLoaded.ts'

const NEWEST = 10

/** An EVM chain: its newest blocks and transactions as they come, and a metric over time. */
export function Page({ parameters: { chainId = '' }, query }: PageProps) {
  return <OnChain chainId={chainId}>{(chain) => <Content chain={chain} query={query} />}</OnChain>
}

function Content({ chain, query }: { readonly chain: ChainInfo; readonly query: PageProps['query'] }) {
  const { evm } = useData()
  const { chainId } = chain
  const [isPaused, setPaused] = useState(false)
  const newest = useLoaded(
    async (signal) => {
      const parameters = { chainId, pageSize: NEWEST }
      const [{ blocks }, { transactions }] = await Promise.all([
        evm.getLatestBlocks(parameters, { signal }),
        evm.listLatestTransactions(parameters, { signal }),
      ])
      return { blocks, transactions }
    },
    [chainId],
  )
  const following = useChanges(chainId, isPaused, newest.reload)
  const { blocks = [], transactions = [] } = newest.value ?? {}
  const state = {
    error: newest.error,
    isLoading: newest.isLoading && newest.value === undefined,
    hasMore: false,
    more: newest.reload,
  }
  const [tip] = blocks
  const hasMetrics = useSession().api('metrics') !== undefined
  return (
    <>
      <PageHead
        kind={`EVM chain ${chainId}`}
        title={<bdi>{chainTitle(chain)}</bdi>}
        actions={<LiveButton following={following} onPause={setPaused} />}
      >
        {chain.description === '' ? undefined : <bdi>{clean(chain.description)}</bdi>}
      </PageHead>
      <ChainTabs chain={chain} current="evmChain" />
      <Figures
        facts={[
          ['Newest block', tip && <BlockLink chainId={chainId} height={tip.blockNumber} />],
          ['Time of the newest block', tip && <Time at={tip.blockTimestamp} />],
          ['Transactions up to this block', tip && count(tip.cumulativeTransactions)],
          ['Token', <bdi>{clean(chain.networkToken.symbol)}</bdi>],
        ]}
      />
      <Panel title="Newest blocks" actions={<a href={link('evmBlocks', { chainId })}>All blocks</a>}>
        <BlockTable chain={chain} list={{ ...state, rows: blocks }} />
      </Panel>
      <Panel
        title="Newest transactions"
        actions={<a href={link('evmTransactions', { chainId })}>All transactions</a>}
      >
        <TransactionTable
          name={`Newest transactions of chain ${chainId}`}
          chain={chain}
          list={{ ...state, rows: transactions }}
        />
      </Panel>
      {hasMetrics && (
        <MetricPanel
          chains={[chain]}
          query={query}
          toHref={(changed) => link('evmChain', { chainId }, changed)}
        />
      )}
    </>
  )
}
