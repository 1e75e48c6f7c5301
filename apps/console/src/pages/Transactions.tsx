import type { PrimaryNetworkTransaction } from '@firn/client'
import { ChainField } from '../components/ChainField.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { TransactionTable } from '../components/TransactionTable.tsx'
import { aliasOf, CHAINS } from '../format/Chains.ts'
import type { PageProps } from '../PageModule.ts'
import { link } from '../Routes.ts'
import { usePrimary } from '../state/Session.ts'
import { rowsOf, usePages } from '../state/usePages.ts'

const PAGE_SIZE = 50

/** Transactions of a chain of the Primary Network, newest first. */
export function Page({ query: { chain: name } }: PageProps) {
  const { primary, network } = usePrimary()
  const chain = aliasOf(name)
  const list = usePages<PrimaryNetworkTransaction>(
    (signal) => {
      const parameters = { network, blockchainId: CHAINS[chain], pageSize: PAGE_SIZE }
      const pages = primary.listLatestPrimaryNetworkTransactions.pages(parameters, { signal })
      return rowsOf(pages, ({ transactions }) => transactions)
    },
    [network, chain],
  )
  return (
    <>
      <PageHead title={`Transactions of the ${chain}-chain`}>
        {chain === 'C'
          ? 'Imports and exports. Other transactions of the C-chain belong to its EVM.'
          : undefined}
      </PageHead>
      <Panel title="Newest transactions" isPlain>
        <TransactionTable
          name={`Transactions of the ${chain}-chain`}
          chain={chain}
          list={list}
          tools={<ChainField chain={chain} toHref={(one) => link('transactions', {}, { chain: one })} />}
        />
      </Panel>
    </>
  )
}
