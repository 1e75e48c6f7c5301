import type { CollectibleBalance, ErcToken } from '@firn/client'
import { count } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import type { Paged } from '../../state/usePages.ts'
import { type Column, Table } from '../Table.tsx'
import { Basis, basisText } from './Balances.tsx'
import { AddressLink, TokenLink } from './Links.tsx'
import { Picture } from './Picture.tsx'
import { TokenIdLink } from './Transfers.tsx'

/** Returns the symbol and name of the contract of a token, if the answer has them. */
function contractOf(token: ErcToken) {
  return token.ercType === 'ERC-721'
    ? { address: token.address, symbol: token.symbol, name: token.name }
    : { address: token.address }
}

const common = (chainId: string): readonly Column<ErcToken>[] => [
  {
    title: 'Picture',
    cell: (token) => <Picture chainId={chainId} token={token} />,
    text: ({ metadata }) => metadata.imageUri ?? '',
  },
  {
    title: 'Token',
    cell: (token) => (
      <>
        <TokenLink chainId={chainId} token={contractOf(token)} />
        <TokenIdLink chainId={chainId} contract={token.address} tokenId={token.tokenId} />
      </>
    ),
    text: ({ address, tokenId }) => `${address} #${tokenId}`,
  },
  {
    title: 'Name',
    cell: ({ metadata: { name = '' } }) =>
      name === '' ? <span class="muted">–</span> : <bdi>{clean(name)}</bdi>,
    text: ({ metadata: { name = '' } }) => name,
  },
  { title: 'Standard', cell: ({ ercType }) => ercType, text: ({ ercType }) => ercType },
]

/** ERC-721 and ERC-1155 tokens of an address. */
export function CollectibleTable({
  name,
  chainId,
  list,
}: {
  readonly name: string
  readonly chainId: string
  readonly list: Paged<CollectibleBalance>
}) {
  const columns: readonly Column<CollectibleBalance>[] = [
    ...common(chainId),
    {
      title: 'Number',
      cell: (token) => count(numberOf(token)),
      text: numberOf,
      isNumber: true,
    },
    {
      title: 'Rests on',
      cell: ({ balanceSource }) => <Basis of={balanceSource} />,
      text: ({ balanceSource }) => basisText(balanceSource),
    },
  ]
  return <TokenTable name={name} list={list} columns={columns} empty="This address has no NFTs." />
}

function numberOf(token: CollectibleBalance): string {
  return token.ercType === 'ERC-1155' ? token.balance : '1'
}

/** Tokens of an ERC-721 or ERC-1155 contract. */
export function CollectionTable({
  name,
  chainId,
  list,
}: {
  readonly name: string
  readonly chainId: string
  readonly list: Paged<ErcToken>
}) {
  const columns: readonly Column<ErcToken>[] = [
    ...common(chainId),
    {
      title: 'Owner',
      cell: (token) => {
        const owner = ownerOf(token)
        return owner === '' ? (
          <span class="muted">–</span>
        ) : (
          <AddressLink chainId={chainId} of={{ address: owner }} />
        )
      },
      text: ownerOf,
    },
  ]
  return <TokenTable name={name} list={list} columns={columns} empty="This contract has no tokens." />
}

function ownerOf(token: ErcToken): string {
  return token.ercType === 'ERC-721' ? (token.ownerAddress ?? '') : ''
}

function TokenTable<Row extends ErcToken>({
  name,
  list,
  columns,
  empty,
}: {
  readonly name: string
  readonly list: Paged<Row>
  readonly columns: readonly Column<Row>[]
  readonly empty: string
}) {
  return (
    <Table
      name={name}
      rows={list.rows}
      columns={columns}
      rowKey={({ address, tokenId }) => `${address} ${tokenId}`}
      empty={empty}
      isLoading={list.isLoading}
      error={list.error}
      hasMore={list.hasMore}
      onMore={list.more}
    />
  )
}
