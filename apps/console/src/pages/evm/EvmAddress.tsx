import type {
  ChainInfo,
  CollectibleBalance,
  Contract,
  Erc20TokenBalance,
  InternalTransaction,
  NativeTransaction,
} from '@firn/client'
import type { ComponentType } from 'preact'
import { Amount } from '../../components/Amount.tsx'
import { isNotFound } from '../../components/ErrorNote.tsx'
import { Basis, basisText } from '../../components/evm/Balances.tsx'
import { callColumns } from '../../components/evm/Calls.tsx'
import { contractFacts } from '../../components/evm/ContractFacts.tsx'
import { AddressLink, BlockLink, TokenLink, TxLink } from '../../components/evm/Links.tsx'
import { CollectibleTable } from '../../components/evm/Nfts.tsx'
import { chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { TransactionTable } from '../../components/evm/TransactionTable.tsx'
import { type Transfer, TransferTable, toTransfer } from '../../components/evm/Transfers.tsx'
import { Facts, Figures } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { LabelField } from '../../components/LabelField.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { Time } from '../../components/Time.tsx'
import { plain, toBigInt } from '../../format/Amounts.ts'
import { format } from '../../format/Times.ts'
import type { PageProps } from '../../PageModule.ts'
import { link } from '../../Routes.ts'
import { useData } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

const PAGE_SIZE = 50

interface ViewProps {
  readonly chain: ChainInfo
  readonly address: string
}

/** Views of an address, in the order of their tabs. */
const VIEWS = {
  transactions: { title: 'Transactions', View: Transactions },
  tokens: { title: 'Tokens', View: Tokens },
  nfts: { title: 'NFTs', View: Nfts },
  erc20: { title: 'ERC-20 transfers', View: Erc20Transfers },
  erc721: { title: 'ERC-721 transfers', View: Erc721Transfers },
  erc1155: { title: 'ERC-1155 transfers', View: Erc1155Transfers },
  calls: { title: 'Internal calls', View: InternalCalls },
  contracts: { title: 'Created contracts', View: Contracts },
} as const satisfies Readonly<Record<string, { title: string; View: ComponentType<ViewProps> }>>
type ViewName = keyof typeof VIEWS

/** An address of an EVM chain: balances, transactions, transfers, and how it was created if it is a contract. */
export function Page({ parameters: { chainId = '', address = '' }, query: { view = '' } }: PageProps) {
  const current = Object.hasOwn(VIEWS, view) ? (view as ViewName) : 'transactions'
  return (
    <OnChain chainId={chainId}>
      {(chain) => <Content chain={chain} address={address} current={current} />}
    </OnChain>
  )
}

function Content({ chain, address, current }: ViewProps & { readonly current: ViewName }) {
  const { evm } = useData()
  const { chainId } = chain
  const balance = useLoaded(
    async (signal) => (await evm.getNativeBalance({ chainId, address }, { signal })).nativeTokenBalance,
    [chainId, address],
  )
  const contract = useLoaded<Contract | null>(
    (signal) =>
      evm.getContractMetadata({ chainId, address }, { signal }).catch((error: unknown) => {
        if (isNotFound(error)) return null
        throw error
      }),
    [chainId, address],
  )
  const { title, View } = VIEWS[current]
  const names = Object.keys(VIEWS) as readonly ViewName[]
  return (
    <>
      <PageHead
        kind={`${contract.value ? 'Contract' : 'Address'} on ${chainTitle(chain)}`}
        title={<Id id={address} isWhole />}
        actions={<LabelField id={address} />}
      />
      <Loadable loaded={balance} what="the balance">
        {({ balance: value, decimals, symbol }) => (
          <Figures facts={[['Balance', <Amount value={value} decimals={decimals} symbol={symbol} />]]} />
        )}
      </Loadable>
      {contract.value && (
        <Panel
          title="Contract"
          actions={
            <a href={link('evmToken', { chainId, address: contract.value.address })}>Token and holders</a>
          }
        >
          <Facts facts={contractFacts(contract.value, chainId)} />
        </Panel>
      )}
      <Tabs
        label="Views of the address"
        tabs={names.map((name) => ({
          title: VIEWS[name].title,
          href: link('evmAddress', { chainId, address }, { view: name }),
          isCurrent: name === current,
        }))}
      />
      <Panel title={title}>
        <View key={current} chain={chain} address={address} />
      </Panel>
    </>
  )
}

function Transactions({ chain, address }: ViewProps) {
  const { evm } = useData()
  const { chainId } = chain
  const list = usePages<NativeTransaction>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      return rowsOf(
        evm.listNativeTransactions.pages(parameters, { signal }),
        ({ transactions }) => transactions,
      )
    },
    [chainId, address],
  )
  return <TransactionTable name={`Transactions of ${address}`} chain={chain} list={list} />
}

function Tokens({ chain: { chainId }, address }: ViewProps) {
  const { evm } = useData()
  const list = usePages<Erc20TokenBalance>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE, filterSpamTokens: false }
      return rowsOf(
        evm.listErc20Balances.pages(parameters, { signal }),
        ({ erc20TokenBalances }) => erc20TokenBalances,
      )
    },
    [chainId, address],
  )
  return (
    <Table
      name={`Tokens of ${address}`}
      rows={list.rows}
      columns={tokenColumns(chainId)}
      rowKey={({ address: contract }) => contract}
      empty="This address has no ERC-20 tokens."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      onMore={list.more}
    />
  )
}

const tokenColumns = (chainId: string): readonly Column<Erc20TokenBalance>[] => [
  {
    title: 'Token',
    cell: (token) => <TokenLink chainId={chainId} token={token} />,
    text: ({ symbol }) => symbol,
    sort: ({ symbol }) => symbol,
  },
  { title: 'Contract', cell: ({ address }) => <Id id={address} />, text: ({ address }) => address },
  {
    title: 'Balance',
    cell: ({ balance, decimals, symbol }) => <Amount value={balance} decimals={decimals} symbol={symbol} />,
    text: ({ balance, decimals }) => plain(balance, decimals),
    isNumber: true,
  },
  {
    title: 'Rests on',
    cell: ({ balanceSource }) => <Basis of={balanceSource} />,
    text: ({ balanceSource }) => basisText(balanceSource),
  },
  {
    title: 'Hints of spam',
    cell: ({ spamReasons }) => spamReasons.join(', '),
    text: ({ spamReasons }) => spamReasons.join(', '),
  },
]

function Nfts({ chain: { chainId }, address }: ViewProps) {
  const { evm } = useData()
  const list = usePages<CollectibleBalance>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      return rowsOf(
        evm.listCollectibleBalances.pages(parameters, { signal }),
        ({ collectibleBalances }) => collectibleBalances,
      )
    },
    [chainId, address],
  )
  return <CollectibleTable name={`NFTs of ${address}`} chainId={chainId} list={list} />
}

function Erc20Transfers(props: ViewProps) {
  return <TransfersOf {...props} operation="listErc20Transactions" />
}

function Erc721Transfers(props: ViewProps) {
  return <TransfersOf {...props} operation="listErc721Transactions" />
}

function Erc1155Transfers(props: ViewProps) {
  return <TransfersOf {...props} operation="listErc1155Transactions" />
}

interface TransferPage {
  readonly nextPageToken?: string | undefined
  readonly transactions: readonly Parameters<typeof toTransfer>[0][]
}

function TransfersOf({
  chain: { chainId },
  address,
  operation,
}: ViewProps & {
  readonly operation: 'listErc20Transactions' | 'listErc721Transactions' | 'listErc1155Transactions'
}) {
  const { evm } = useData()
  const list = usePages<Transfer>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      const pages: AsyncIterable<TransferPage> = evm[operation].pages(parameters, { signal })
      return rowsOf(pages, ({ transactions }) => transactions.map(toTransfer))
    },
    [chainId, address, operation],
  )
  return <TransferTable name={`Transfers of ${address}`} chainId={chainId} list={list} hasPlaces />
}

function InternalCalls({ chain, address }: ViewProps) {
  const { evm } = useData()
  const { chainId } = chain
  const list = usePages<InternalTransaction & { readonly key: string }>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      let index = 0
      return rowsOf(evm.listInternalTransactions.pages(parameters, { signal }), ({ transactions }) =>
        transactions.map((call) => ({ ...call, key: `${call.txHash} ${index++}` })),
      )
    },
    [chainId, address],
  )
  const columns: readonly Column<InternalTransaction>[] = [
    {
      title: 'Transaction',
      cell: ({ txHash }) => <TxLink chainId={chainId} hash={txHash} />,
      text: ({ txHash }) => txHash,
    },
    {
      title: 'Block',
      cell: ({ blockNumber }) => <BlockLink chainId={chainId} height={blockNumber} />,
      text: ({ blockNumber }) => blockNumber,
      sort: ({ blockNumber }) => toBigInt(blockNumber),
      isNumber: true,
    },
    {
      title: 'Time',
      cell: ({ blockTimestamp }) => <Time at={blockTimestamp} />,
      text: ({ blockTimestamp }) => format(blockTimestamp, 'utc'),
    },
    ...callColumns(chain),
  ]
  return (
    <Table
      name={`Internal calls of ${address}`}
      rows={list.rows}
      columns={columns}
      rowKey={(row) => (row as { readonly key?: string }).key ?? ''}
      empty="There are no internal calls."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      onMore={list.more}
    />
  )
}

function Contracts({ chain: { chainId }, address }: ViewProps) {
  const { evm } = useData()
  const list = usePages<Contract>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      return rowsOf(evm.listContractDeployments.pages(parameters, { signal }), ({ contracts }) => contracts)
    },
    [chainId, address],
  )
  const columns: readonly Column<Contract>[] = [
    {
      title: 'Contract',
      cell: ({ address: contract, name }) => (
        <AddressLink chainId={chainId} of={{ address: contract, name }} />
      ),
      text: ({ address: contract }) => contract,
    },
    { title: 'Standard', cell: ({ ercType }) => ercType, text: ({ ercType }) => ercType },
    {
      title: 'Transaction',
      cell: ({ deploymentDetails }) =>
        deploymentDetails && <TxLink chainId={chainId} hash={deploymentDetails.txHash} />,
      text: ({ deploymentDetails }) => deploymentDetails?.txHash ?? '',
    },
  ]
  return (
    <Table
      name={`Contracts created by ${address}`}
      rows={list.rows}
      columns={columns}
      rowKey={({ address: contract }) => contract}
      empty="This address has created no contracts."
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      onMore={list.more}
    />
  )
}
