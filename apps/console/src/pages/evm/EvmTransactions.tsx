import type { ChainInfo, NativeTransaction } from '@firn/client'
import { ChainTabs, chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { SelectField } from '../../components/evm/SelectField.tsx'
import { TransactionTable } from '../../components/evm/TransactionTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

const PAGE_SIZE = 50
const STATUSES = { all: 'All', success: 'Successful', failed: 'Failed' } as const

/** Transactions of an EVM chain, newest first. */
export function Page({ parameters: { chainId = '' }, query: { status = '' } }: PageProps) {
  return <OnChain chainId={chainId}>{(chain) => <Content chain={chain} status={status} />}</OnChain>
}

function Content({ chain, status: given }: { readonly chain: ChainInfo; readonly status: string }) {
  const { evm } = useData()
  const { chainId } = chain
  const status = (['success', 'failed'] as const).find((one) => one === given)
  const list = usePages<NativeTransaction>(
    (signal) => {
      const parameters = { chainId, status, pageSize: PAGE_SIZE } as const
      return rowsOf(
        evm.listLatestTransactions.pages(parameters, { signal }),
        ({ transactions }) => transactions,
      )
    },
    [chainId, status],
  )
  return (
    <>
      <PageHead
        kind={`EVM chain ${chainId}`}
        title={
          <>
            Transactions of <bdi>{chainTitle(chain)}</bdi>
          </>
        }
      />
      <ChainTabs chain={chain} current="evmTransactions" />
      <Panel title="Newest transactions">
        <TransactionTable
          name={`Transactions of chain ${chainId}`}
          chain={chain}
          list={list}
          tools={
            <SelectField
              label="Status"
              value={status ?? 'all'}
              options={STATUSES}
              onChange={(one) => {
                location.hash = link('evmTransactions', { chainId }, one === 'all' ? {} : { status: one })
              }}
            />
          }
        />
      </Panel>
    </>
  )
}
