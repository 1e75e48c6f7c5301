import type { ChainInfo, Contract, ErcToken, Holder, ListHoldersResponse } from '@firn/client'
import { useState } from 'preact/hooks'
import { Amount } from '../../components/Amount.tsx'
import { contractFacts } from '../../components/evm/ContractFacts.tsx'
import { AddressLink } from '../../components/evm/Links.tsx'
import { NftHolders } from '../../components/evm/NftHolders.tsx'
import { CollectionTable } from '../../components/evm/Nfts.tsx'
import { chainTitle, OnChain } from '../../components/evm/OnChain.tsx'
import { type Transfer, TransferTable, toTransfer } from '../../components/evm/Transfers.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Id } from '../../components/Id.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { plain } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import * as Thresholds from '../../format/Thresholds.ts'
import type { PageProps } from '../../PageModule.ts'
import { link, type Query } from '../../Routes.ts'
import { useData, useSession } from '../../state/Session.ts'
import { useLoaded } from '../../state/useLoaded.ts'
import { rowsOf, usePages } from '../../state/usePages.ts'

const PAGE_SIZE = 50

const VIEWS = { transfers: 'Transfers', holders: 'Holders', tokens: 'Tokens' } as const
type ViewName = keyof typeof VIEWS

interface ContractProps {
  readonly chain: ChainInfo
  readonly contract: Contract
}

/** A contract: its token, transfers, holders and NFTs. */
export function Page({ parameters: { chainId = '', address = '' }, query }: PageProps) {
  return (
    <OnChain chainId={chainId}>
      {(chain) => <Content chain={chain} address={address} query={query} />}
    </OnChain>
  )
}

function Content({
  chain,
  address,
  query,
}: {
  readonly chain: ChainInfo
  readonly address: string
  readonly query: Query
}) {
  const { evm } = useData()
  const { chainId } = chain
  const loaded = useLoaded(
    (signal) => evm.getContractMetadata({ chainId, address }, { signal }),
    [chainId, address],
  )
  const name = loaded.value?.name ?? ''
  return (
    <>
      <PageHead
        kind={`${loaded.value?.ercType === 'UNKNOWN' ? 'Contract' : 'Token'} on ${chainTitle(chain)}`}
        title={name === '' ? <Id id={address} isWhole /> : <bdi>{clean(name)}</bdi>}
      />
      <Loadable loaded={loaded} what="the contract">
        {(contract) => (
          <>
            <Panel title="About">
              <Facts
                facts={[
                  ['Address', <AddressLink chainId={chainId} of={{ address: contract.address }} isWhole />],
                  ...contractFacts(contract, chainId),
                ]}
              />
            </Panel>
            <Views chain={chain} contract={contract} query={query} />
          </>
        )}
      </Loadable>
    </>
  )
}

function Views({ chain, contract, query }: ContractProps & { readonly query: Query }) {
  const hasMetrics = useSession().api('metrics') !== undefined
  const { address, ercType } = contract
  const isCollection = ercType === 'ERC-721' || ercType === 'ERC-1155'
  const offered: readonly ViewName[] = [
    'transfers',
    ...(isCollection || (ercType === 'ERC-20' && hasMetrics) ? (['holders'] as const) : []),
    ...(isCollection ? (['tokens'] as const) : []),
  ]
  const current = offered.find((name) => name === query['view']) ?? 'transfers'
  const { chainId } = chain
  return (
    <>
      <Tabs
        label="Views of the contract"
        tabs={offered.map((name) => ({
          title: VIEWS[name],
          href: link('evmToken', { chainId, address }, { view: name }),
          isCurrent: name === current,
        }))}
      />
      <Panel title={VIEWS[current]}>
        {current === 'transfers' && <Transfers chainId={chainId} address={address} />}
        {current === 'tokens' && <Collection chainId={chainId} address={address} />}
        {current === 'holders' && isCollection && <NftHolders chainId={chainId} address={address} />}
        {current === 'holders' && contract.ercType === 'ERC-20' && (
          <Holders chainId={chainId} contract={contract} given={query['above'] ?? '0'} />
        )}
      </Panel>
    </>
  )
}

interface AddressProps {
  readonly chainId: string
  readonly address: string
}

function Transfers({ chainId, address }: AddressProps) {
  const { evm } = useData()
  const list = usePages<Transfer>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      return rowsOf(evm.listTransfers.pages(parameters, { signal }), ({ transfers }) =>
        transfers.map(toTransfer),
      )
    },
    [chainId, address],
  )
  return <TransferTable name={`Transfers of ${address}`} chainId={chainId} list={list} hasPlaces />
}

function Collection({ chainId, address }: AddressProps) {
  const { evm } = useData()
  const list = usePages<ErcToken>(
    (signal) => {
      const parameters = { chainId, address, pageSize: PAGE_SIZE }
      return rowsOf(evm.listTokens.pages(parameters, { signal }), ({ tokens }) => tokens)
    },
    [chainId, address],
  )
  return <CollectionTable name={`Tokens of ${address}`} chainId={chainId} list={list} />
}

type TokenClass = NonNullable<ListHoldersResponse['tokenClass']>

/** What the class of a contract says about the listed balances. */
const CLASSES: Readonly<Record<TokenClass, string>> = {
  wellBehaved: 'The balances are checked: they are the sums of transfers.',
  wrappedNative: 'The contract wraps the native token; deposits and withdrawals are not always transfers.',
  feeOnTransfer: 'The contract keeps a fee of each transfer, so balances may differ from these sums.',
  rebasing: 'The contract changes balances without transfers, so balances differ from these sums.',
  nonStandard: 'The contract does not follow the standard, so balances may differ from these sums.',
  lying: 'The contract logs transfers that do not change balances.',
}

function Holders({
  chainId,
  contract: { address, decimals, symbol = '' },
  given,
}: {
  readonly chainId: string
  readonly contract: Extract<Contract, { readonly ercType: 'ERC-20' }>
  readonly given: string
}) {
  const { metrics } = useData()
  const [text, setText] = useState(given)
  const threshold = Thresholds.parse(given, decimals) ?? 0n
  const isValid = Thresholds.parse(text, decimals) !== undefined
  const [tokenClass, setTokenClass] = useState<TokenClass>()
  const list = usePages<Holder>(
    (signal) => {
      const parameters = { chainId, address, threshold: String(threshold), pageSize: PAGE_SIZE }
      return rowsOf(metrics.listHolders.pages(parameters, { signal }), (page) => {
        setTokenClass(page.tokenClass)
        return page.addresses
      })
    },
    [chainId, address, String(threshold)],
  )
  return (
    <>
      <p class="note">
        {tokenClass === undefined ? 'The balances are sums of transfers.' : CLASSES[tokenClass]} Amounts are
        rounded.
      </p>
      <Table
        name={`Holders of ${address}`}
        rows={list.rows}
        columns={holderColumns(chainId, decimals, symbol)}
        rowKey={({ address: holder }) => holder}
        empty="No address has more than this amount."
        isLoading={list.isLoading}
        error={list.error}
        hasMore={list.hasMore}
        onMore={list.more}
        tools={
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (isValid)
                location.hash = link('evmToken', { chainId, address }, { view: 'holders', above: text })
            }}
          >
            <label class="field">
              More than
              <input
                value={text}
                inputMode="decimal"
                aria-invalid={!isValid}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </label>{' '}
            <button type="submit" class="button button-small" disabled={!isValid}>
              Show
            </button>
          </form>
        }
      />
    </>
  )
}

const holderColumns = (chainId: string, decimals: number, symbol: string): readonly Column<Holder>[] => [
  {
    title: 'Holder',
    cell: ({ address }) => <AddressLink chainId={chainId} of={{ address }} />,
    text: ({ address }) => address,
  },
  {
    title: 'Balance, rounded',
    cell: ({ sortKey }) => <Amount value={BigInt(Math.trunc(sortKey))} decimals={decimals} symbol={symbol} />,
    text: ({ sortKey }) => plain(BigInt(Math.trunc(sortKey)), decimals),
    isNumber: true,
  },
]
